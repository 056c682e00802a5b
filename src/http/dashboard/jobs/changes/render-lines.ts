import { type Html, html } from '../../../pages/html.ts';
import type { ColouredLine } from '../../highlight/kinds.ts';
import { renderColoured } from '../../highlight/render-coloured.ts';
import type { DiffLayout } from './diff-layout.ts';
import { type MarkedWords, markWords } from './mark-words.ts';
import type { Line } from './patch-lines.ts';

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
