import type { Diff } from '../../../diffs/bound-diff.ts';
import { type Html, html } from '../../pages/html.ts';
import { renderCounts } from './render-progress.ts';

type FileDiff = Diff['files'][number];

/** Longer files are folded, and shown whole on GitHub only. */
const openLines = 300;
const mostLines = 2_000;
const mostOpenFiles = 20;

/** The files of a change. Takes time in proportion to its size: a diff library would compare lines word by word. */
export function renderDiff({ files, truncated }: Diff, filesUrl: string): Html {
  if (files.length === 0) return html`<p class="muted">The pull request changes nothing.</p>`;
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  return html`<p class="facts"><span class="fact">${files.length === 1 ? '1 file' : `${files.length} files`}</span>
${renderCounts({ additions, deletions })} <a class="fact" href="${filesUrl}">On GitHub</a></p>
${truncated && html`<p class="notice">The change is too large to be shown whole. <a href="${filesUrl}">See it on GitHub</a></p>`}
${files.map((file, index) => renderFile(file, { isOpen: index < mostOpenFiles, filesUrl }))}`;
}

const states: Partial<Record<FileDiff['status'], string>> = {
  added: 'new',
  removed: 'deleted',
  renamed: 'renamed',
  copied: 'copied',
};

function renderFile(file: FileDiff, { isOpen, filesUrl }: { isOpen: boolean; filesUrl: string }): Html {
  const { path, previousPath, status, patch } = file;
  const lines = patch?.split('\n') ?? [];
  const shown = lines.slice(0, mostLines);
  const state = states[status];
  return html`<details class="file" id="file-${path}"${isOpen && lines.length <= openLines && html` open`}>
<summary><code>${previousPath !== null && html`${previousPath} → `}${path}</code>${state !== undefined && html` <span class="tag">${state}</span>`} ${renderCounts(file)}</summary>
${shown.length > 0 ? renderLines(shown, path) : html`<p class="muted">${patch === null ? 'No text to show.' : 'No lines changed.'}</p>`}
${lines.length > shown.length && html`<p class="muted">${lines.length - shown.length} more lines. <a href="${filesUrl}">See them on GitHub</a></p>`}
</details>`;
}

interface Line {
  kind: 'hunk' | 'add' | 'delete' | 'same';
  before: number | null;
  after: number | null;
  text: string;
}

/** Numbers the lines of a patch: https://www.gnu.org/software/diffutils/manual/html_node/Detailed-Unified.html */
export function numberLines(patch: readonly string[]): Line[] {
  let [before, after] = [0, 0];
  return patch.flatMap((line): Line[] => {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (hunk) {
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
      return [{ kind: 'hunk', before: null, after: null, text: line }];
    }
    const text = line.slice(1);
    if (line.startsWith('+')) return [{ kind: 'add', before: null, after: after++, text }];
    if (line.startsWith('-')) return [{ kind: 'delete', before: before++, after: null, text }];
    if (line.startsWith(' ')) return [{ kind: 'same', before: before++, after: after++, text }];
    return [];
  });
}

const signs: Record<Line['kind'], string> = { hunk: '', add: '+', delete: '−', same: '' };

const renderLines = (lines: readonly string[], path: string): Html =>
  html`<div class="lines" role="region" aria-label="Lines of ${path}" tabindex="0"><table><tbody>${numberLines(
    lines,
  ).map(({ kind, before, after, text }) =>
    kind === 'hunk'
      ? html`<tr class="hunk"><td colspan="4">${text}</td></tr>`
      : html`<tr class="${kind}"><td class="no">${before}</td><td class="no">${after}</td><td class="sign">${signs[kind]}</td><td class="code">${text}</td></tr>`,
  )}</tbody></table></div>`;
