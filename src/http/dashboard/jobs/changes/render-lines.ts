import { type Html, html } from '../../../pages/html.ts';
import type { DiffLayout } from './diff-layout.ts';
import { type Marked, markWords } from './mark-words.ts';
import { type Line, numberLines } from './number-lines.ts';

/** The lines of a patch. The style sheet puts them in one column, or the old and new lines side by side. */
export function renderLines(patch: readonly string[], { label, layout }: { label: string; layout: DiffLayout }): Html {
  return html`<div class="lines" role="region" aria-label="${label}" tabindex="0">${groupLines(numberLines(patch)).map(
    (group) => (Array.isArray(group) ? renderBlock(group) : renderSame(group, layout)),
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

function renderBlock(lines: readonly Line[]): Html {
  const before = lines.filter(({ kind }) => kind === 'delete');
  const after = lines.filter(({ kind }) => kind === 'add');
  const pairs = before.map(({ text }, place) => {
    const other = after[place];
    return other && markWords(text, other.text);
  });
  return html`<div class="block">${before.map((line, place) => renderChanged(line, pairs[place]?.[0]))}${after.map((line, place) => renderChanged(line, pairs[place]?.[1]))}</div>`;
}

const renderChanged = ({ kind, before, after, text }: Line, marked: Marked | undefined): Html =>
  html`<div class="line ${kind}"><span class="no">${before}</span><span class="no">${after}</span><span class="sign">${kind === 'add' ? '+' : '−'}</span><span class="code">${marked ? renderMarked(marked) : text}</span></div>`;

const renderMarked = ([start, differs, end]: Marked): Html =>
  html`${start}${differs !== '' && html`<mark>${differs}</mark>`}${end}`;

function renderSame({ kind, before, after, text }: Line, layout: DiffLayout): Html {
  if (kind === 'hunk') return html`<div class="hunk">${text}</div>`;
  return html`<div class="line same"><span class="no">${before}</span><span class="no">${after}</span><span class="sign"></span><span class="code">${text}</span>${layout === 'split' && html`<span class="no again-no" aria-hidden="true">${after}</span><span class="code again" aria-hidden="true">${text}</span>`}</div>`;
}
