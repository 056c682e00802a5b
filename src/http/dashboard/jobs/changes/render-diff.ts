import { type Html, html } from '../../../pages/html.ts';
import { icon, renderCounts } from '../../frame/elements.ts';
import type { SendItem } from '../story/send-item.ts';
import type { ShownFile } from './patch-lines.ts';
import { type DiffLayout, renderLines } from './render-lines.ts';

type FileDiff = ShownFile['file'];

/** Longer files are folded, and shown whole on GitHub only. */
const openLines = 400;
const mostLines = 2_000;
const mostLinesInAll = 6_000;
const mostOpenFiles = 30;
/** Further files are shown when a person asks for one. */
const mostHtml = 220_000;
/** A longer list of files is folded. */
const mostListed = 8;

interface ShownDiff {
  layout: DiffLayout;
  /** The page of the job. */
  address: string;
  /** The change on GitHub. */
  filesUrl: string;
  truncated: boolean;
  /** The file that is shown with all of its lines. */
  whole: string | undefined;
}

/** The files of a change. Takes time in proportion to its size: a diff library would compare lines word by word. */
export function renderDiff(
  shown: readonly ShownFile[],
  { layout, address, filesUrl, truncated, whole }: ShownDiff,
): Html {
  if (shown.length === 0) return html`<p class="muted">The pull request changes nothing.</p>`;
  let left = mostLinesInAll;
  let spent = 0;
  return html`<div class="changes-bar"><span>${shown.length === 1 ? '1 file' : `${shown.length} files`}</span>
<a class="fact" href="${filesUrl}">On GitHub${icon('external')}</a><span class="hint keys" hidden data-keys>↑ ↓ choose a line, C comments</span>${renderChoice({ layout, address })}</div>
${truncated && html`<p class="notice">The change is too large to be shown whole. <a href="${filesUrl}">See it on GitHub</a></p>`}
${shown.length > 1 && renderList(shown.map(({ file }) => file))}
<div class="files${layout === 'split' && ' split'}">${shown.map(({ file, lines, colours }, index) => {
    const isWhole = file.path === whole;
    const bar = html`${hasMore(file) && linkToWhole(file, { address, isWhole })}<label class="check" hidden><input type="checkbox" data-viewed="${file.path}">Viewed</label>`;
    const linkToGap = (start: number) =>
      `${address}?${new URLSearchParams({ tab: 'changes', whole: file.path, gap: String(start) }).toString()}#file-${file.path}`;
    if (spent > mostHtml && !isWhole) {
      const later = html`<p class="later"><a class="button quiet" href="${linkToGap(0)}" data-view>Show this change</a></p>`;
      return renderFile(file, { id: file.path, content: later, isOpen: true, bar });
    }
    const few = lines.slice(0, Math.min(mostLines, left));
    left -= few.length;
    const isOpen = index < mostOpenFiles && (lines.length <= openLines || isWhole) && file.status !== 'removed';
    const content = html`${renderContent({ file, lines: few, colours }, { layout, linkToGap: hasMore(file) ? linkToGap : null })}
${lines.length > few.length && html`<p class="muted">${lines.length - few.length} more lines. <a href="${filesUrl}">See them on GitHub</a></p>`}`;
    spent += content.html.length;
    return renderFile(file, { id: file.path, content, isOpen, bar });
  })}</div>`;
}

/** What a run has changed so far. Long files are cut: the pull request will have all of them. */
export const renderLive = (
  shown: readonly ShownFile[],
  { layout, send }: { layout: DiffLayout; send: SendItem },
): Html =>
  html`<ul class="files live-files${layout === 'split' && ' split'}" id="live-files">${shown.map((each) => {
    const id = `so-far-${each.file.path}`;
    const lines = each.lines.slice(0, openLines);
    const cut = each.lines.length - lines.length;
    const content = html`${renderContent({ ...each, lines }, { layout, linkToGap: null })}${cut > 0 && html`<p class="muted">${cut} more lines.</p>`}`;
    return send(id, html`<li id="${id}">${renderFile(each.file, { id, content, isOpen: true, bar: html`` })}</li>`);
  })}</ul>`;

function renderChoice({ layout, address }: { layout: DiffLayout; address: string }): Html {
  const link = (name: string, value: DiffLayout, sign: 'rows' | 'columns') =>
    html`<a href="${address}?diff=${value}" data-view${value === layout && html` aria-current="true"`}>${icon(sign)}${name}</a>`;
  return html`<nav class="choices" aria-label="View of changes">${link('Unified', 'unified', 'rows')}${link('Side by side', 'split', 'columns')}</nav>`;
}

const renderList = (files: readonly FileDiff[]): Html =>
  html`<details class="panel file-list fold" id="changed-files"${files.length <= mostListed && html` open`}><summary>Changed files</summary><nav aria-label="Changed files"><ul>${files.map(
    (file) =>
      html`<li><a href="#file-${file.path}">${icon('file')}<code>${file.path}</code></a>${renderState(file)}${renderCounts(file)}</li>`,
  )}</ul></nav></details>`;

const states: Partial<Record<FileDiff['status'], string>> = {
  added: 'new',
  removed: 'deleted',
  renamed: 'renamed',
  copied: 'copied',
};

const renderState = ({ status }: FileDiff): Html | false =>
  states[status] !== undefined && html` <span class="tag">${states[status]}</span>`;

function linkToWhole({ path }: FileDiff, { address, isWhole }: { address: string; isWhole: boolean }): Html {
  const all = new URLSearchParams({ tab: 'changes', whole: path }).toString();
  return isWhole
    ? html`<a href="${address}?tab=changes#file-${path}" data-view>Only the changes</a>`
    : html`<a href="${address}?${all}#file-${path}" data-view>All lines</a>`;
}

function renderFile(
  file: FileDiff,
  { id, content, isOpen, bar }: { id: string; content: Html; isOpen: boolean; bar: Html },
): Html {
  const { path, previousPath } = file;
  return html`<section class="file panel" id="file-${id}" aria-label="${path}"><details class="fold" id="fold-${id}"${isOpen && html` open`}>
<summary><code>${previousPath !== null && html`${previousPath} → `}${path}</code>${renderState(file)} ${renderCounts(file)}</summary>
<div class="file-bar"><button type="button" class="quiet" hidden data-comment="${path}">${icon('message')}Comment</button>${bar}</div>
${content}</details></section>`;
}

const hasMore = ({ status }: FileDiff): boolean => status === 'modified' || status === 'renamed';

const renderContent = (
  { file, lines, colours }: ShownFile,
  { layout, linkToGap }: { layout: DiffLayout; linkToGap: ((start: number) => string) | null },
): Html =>
  lines.length > 0
    ? renderLines(lines, { label: `Lines of ${file.path}`, layout, colours, linkToGap })
    : html`<p class="muted">${file.patch === null ? 'No text to show.' : 'No lines changed.'}</p>`;
