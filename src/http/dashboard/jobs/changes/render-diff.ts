import type { Diff } from '../../../../diffs/bound-diff.ts';
import { type Html, html } from '../../../pages/html.ts';
import { icon } from '../../frame/icon.ts';
import { renderCounts } from '../render-counts.ts';
import type { DiffLayout } from './diff-layout.ts';
import { renderLines } from './render-lines.ts';

type FileDiff = Diff['files'][number];

/** Longer files are folded, and shown whole on GitHub only. */
const openLines = 300;
const mostLines = 2_000;
const mostLinesInAll = 6_000;
const mostOpenFiles = 20;

interface ShownDiff {
  layout: DiffLayout;
  /** The page of the job. */
  address: string;
  /** The change on GitHub. */
  filesUrl: string;
}

/** The files of a change. Takes time in proportion to its size: a diff library would compare lines word by word. */
export function renderDiff({ files, truncated }: Diff, { layout, address, filesUrl }: ShownDiff): Html {
  if (files.length === 0) return html`<p class="muted">The pull request changes nothing.</p>`;
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  let left = mostLinesInAll;
  return html`<div class="changes-bar"><span>${files.length === 1 ? '1 file' : `${files.length} files`}</span>
${renderCounts({ additions, deletions })} <a class="fact" href="${filesUrl}">On GitHub${icon('external')}</a>
${renderChoice({ layout, address })}</div>
${truncated && html`<p class="notice">The change is too large to be shown whole. <a href="${filesUrl}">See it on GitHub</a></p>`}
<div class="files${layout === 'split' && ' split'}">${files.map((file, index) => {
    const lines = file.patch?.split('\n') ?? [];
    const shown = lines.slice(0, Math.min(mostLines, left));
    left -= shown.length;
    const isOpen = index < mostOpenFiles && lines.length <= openLines;
    return renderFile(file, { shown, cut: lines.length - shown.length, isOpen, layout, filesUrl });
  })}</div>`;
}

function renderChoice({ layout, address }: { layout: DiffLayout; address: string }): Html {
  const link = (name: string, value: DiffLayout, sign: 'rows' | 'columns') =>
    html`<a href="${address}?diff=${value}#changes"${value === layout && html` aria-current="true"`}>${icon(sign)}${name}</a>`;
  return html`<nav class="choices" aria-label="View of changes">${link('Unified', 'unified', 'rows')}${link('Side by side', 'split', 'columns')}</nav>`;
}

const states: Partial<Record<FileDiff['status'], string>> = {
  added: 'new',
  removed: 'deleted',
  renamed: 'renamed',
  copied: 'copied',
};

function renderFile(
  { path, previousPath, status, patch, additions, deletions }: FileDiff,
  {
    shown,
    cut,
    isOpen,
    layout,
    filesUrl,
  }: { shown: readonly string[]; cut: number; isOpen: boolean; layout: DiffLayout; filesUrl: string },
): Html {
  const state = states[status];
  return html`<details class="file panel fold" id="file-${path}"${isOpen && html` open`}>
<summary><code>${previousPath !== null && html`${previousPath} → `}${path}</code>${state !== undefined && html` <span class="tag">${state}</span>`} ${renderCounts({ additions, deletions })}</summary>
${shown.length > 0 && renderLines(shown, { label: `Lines of ${path}`, layout })}
${shown.length === 0 && cut === 0 && html`<p class="muted">${patch === null ? 'No text to show.' : 'No lines changed.'}</p>`}
${cut > 0 && html`<p class="muted">${cut} more lines. <a href="${filesUrl}">See them on GitHub</a></p>`}
</details>`;
}
