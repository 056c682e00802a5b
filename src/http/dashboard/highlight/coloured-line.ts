import { type Html, html } from '../../pages/html.ts';

/** What a part of a text is, for its colour: the name of its class without `t-`. The first is the text itself. */
export const kinds = [
  'text',
  'heading',
  'strong',
  'emphasis',
  'link',
  'string',
  'comment',
  'keyword',
  'constant',
  'name',
  'attribute',
  'mark',
] as const;
export type Kind = (typeof kinds)[number];

/** A line: how long each part is, and the number of its kind, by turns. */
export type ColouredLine = number[];

/** `from` and `to`: the part that is marked as changed; none if they are the same. */
export function renderColoured(
  text: string,
  line: ColouredLine | undefined,
  { from, to }: { from: number; to: number } = { from: 0, to: 0 },
): Html {
  if (from >= to) return html`${renderParts(text, line, 0, text.length)}`;
  return html`${renderParts(text, line, 0, from)}<mark>${renderParts(text, line, from, to)}</mark>${renderParts(text, line, to, text.length)}`;
}

function renderParts(text: string, line: ColouredLine | undefined, from: number, to: number): Html | string {
  if (from >= to) return '';
  if (!line) return text.slice(from, to);
  const parts: (Html | string)[] = [];
  let start = 0;
  for (let index = 0; index < line.length && start < to; index += 2) {
    const end = start + (line[index] ?? 0);
    const part = text.slice(Math.max(start, from), Math.min(end, to));
    const kind = kinds[line[index + 1] ?? 0] ?? 'text';
    if (part !== '') parts.push(kind === 'text' ? part : html`<span class="t-${kind}">${part}</span>`);
    start = end;
  }
  if (start < to) parts.push(text.slice(Math.max(start, from), to));
  return html`${parts}`;
}
