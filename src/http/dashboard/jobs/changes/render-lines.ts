import { type Html, html } from '../../../pages/html.ts';
import { type ColouredLine, renderColoured } from '../../highlight/colour-texts.ts';
import type { Line } from './patch-lines.ts';

/** `split`: before and after beside each other, where a screen is wide enough. */
export type DiffLayout = 'unified' | 'split';

interface ShownLines {
  label: string;
  layout: DiffLayout;
  colours: ReadonlyMap<Line, ColouredLine>;
  /** Leads to the lines before the hunk that begins at a line; null: there are no others. */
  linkToGap: ((start: number) => string) | null;
}

/**
 * The lines of a change. The style sheet puts them in one column, or the old and new lines side by side, and shows the numbers: attributes are
 * a third of the size, and nobody copies them with the text.
 */
export function renderLines(lines: readonly Line[], { label, layout, colours, linkToGap }: ShownLines): Html {
  return html`<div class="lines" role="region" aria-label="${label}" tabindex="0">${groupLines(lines).map((group) =>
    Array.isArray(group)
      ? renderBlock(group, colours)
      : group.kind === 'hunk'
        ? renderHunk(group, linkToGap)
        : renderSame(group, { layout, colours }),
  )}</div>`;
}

/** Groups removed lines with the added lines after them. */
function groupLines(lines: readonly Line[]): (Line | Line[])[] {
  const groups: (Line | Line[])[] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (line.kind === 'same' || line.kind === 'hunk') groups.push(line);
    else if (Array.isArray(last) && !(line.kind === 'delete' && last.at(-1)?.kind === 'add')) last.push(line);
    else groups.push([line]);
  }
  return groups;
}

function renderBlock(lines: readonly Line[], colours: ShownLines['colours']): Html {
  const before = lines.filter(({ kind }) => kind === 'delete');
  const after = lines.filter(({ kind }) => kind === 'add');
  const pairs = before.map(({ text }, place) => {
    const other = after[place];
    return other && markWords(text, other.text);
  });
  return html`<div class="block">${before.map((line, place) => renderChanged(line, colours.get(line), pairs[place]?.[0]))}${after.map((line, place) => renderChanged(line, colours.get(line), pairs[place]?.[1]))}</div>`;
}

function renderChanged(
  { kind, before, after, text }: Line,
  coloured: ColouredLine | undefined,
  marked?: MarkedWords,
): Html {
  const number = kind === 'delete' ? html`data-b="${before}"` : html`data-a="${after}"`;
  return html`<div class="line ${kind}" ${number}><code>${renderColoured(text, coloured, placeOf(marked))}</code></div>`;
}

const placeOf = (marked: MarkedWords | undefined) =>
  marked && { from: marked[0].length, to: marked[0].length + marked[1].length };

const renderHunk = ({ text, after }: Line & { kind: 'hunk' }, linkToGap: ShownLines['linkToGap']): Html =>
  html`<div class="hunk"><span>${text}</span>${linkToGap !== null && after > 1 && html`<a href="${linkToGap(after)}" data-view>Lines before</a>`}</div>`;

function renderSame(
  line: Line,
  { layout, colours }: { layout: DiffLayout; colours: ReadonlyMap<Line, ColouredLine> },
): Html {
  const { before, after, text } = line;
  const code = renderColoured(text, colours.get(line));
  return html`<div class="line same" data-b="${before}" data-a="${after}"><code>${code}</code>${layout === 'split' && html`<code class="again" aria-hidden="true">${code}</code>`}</div>`;
}

/** A text in three parts: the start and the end that another text has too, and the difference between them. */
type MarkedWords = readonly [start: string, differs: string, end: string];

/**
 * The difference between two versions of a line, in whole words. Undefined: hardly anything is the same. Reads both once: a line of a
 * repository may have any length.
 */
export function markWords(before: string, after: string): readonly [MarkedWords, MarkedWords] | undefined {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  start = Math.min(findWordStart(before, start), findWordStart(after, start));
  end = Math.min(findWordEnd(before, end), findWordEnd(after, end));
  if (start + end < Math.max(before.length, after.length) / 4) return undefined;
  return [cut(before, start, end), cut(after, start, end)];
}

const cut = (text: string, start: number, end: number): MarkedWords => [
  text.slice(0, start),
  text.slice(start, text.length - end),
  text.slice(text.length - end),
];

/** Letters, digits, and both halves of a surrogate pair. */
const isInWord = (text: string, place: number) => /[\p{L}\p{N}\p{M}\p{Cs}_]/u.test(text[place] ?? '');

function findWordStart(text: string, place: number): number {
  let start = place;
  while (start > 0 && isInWord(text, start - 1) && isInWord(text, start)) start -= 1;
  return start;
}

/** `length`: of the end that is the same. */
function findWordEnd(text: string, length: number): number {
  let end = length;
  while (end > 0 && isInWord(text, text.length - end - 1) && isInWord(text, text.length - end)) end -= 1;
  return end;
}
