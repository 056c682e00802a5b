import type { Project } from '../../../../store/tables/repositories/projects.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { DashboardParts } from '../../dashboard-parts.ts';
import { icon, renderCodes, renderCounts } from '../../frame/elements.ts';
import type { ShownFile } from '../changes/patch-lines.ts';
import type { FoundChanges } from '../changes/read-changes.ts';
import { renderDiff, renderLive } from '../changes/render-diff.ts';
import type { DiffLayout } from '../changes/render-lines.ts';
import { type FoundPreview, type PreviewVersion, versions } from '../preview/read-preview.ts';
import { type FoundProblems, listProblems, type Story, type StoryRun } from '../story/read-story.ts';
import type { Prose } from '../story/render-markdown.ts';
import type { SendItem } from '../story/send-item.ts';
import { renderActivity } from './activity.ts';

export interface ShownJob {
  project: Project;
  story: Story;
  prose: Prose;
  /** null: not read, because only the conversation moves. */
  changes: FoundChanges | null;
  /** What a live run has changed so far. */
  live: readonly ShownFile[];
  preview: FoundPreview | null;
  view: View | undefined;
  layout: DiffLayout;
  config: DashboardParts['config'];
}

/** `address`: of the page of the job. */
type Side = ShownJob & { address: string; send: SendItem };

/** What stands beside the conversation. */
export function renderSide(side: Side): Html {
  const view = besideOf(side.view);
  return html`<section id="side" data-live aria-labelledby="${view}"><h2 class="sr" id="${view}">${viewNames[view]}</h2>
${renderView(view, side)}</section>`;
}

function renderView(view: ReturnType<typeof besideOf>, side: Side): Html {
  switch (view) {
    case 'preview':
      return side.preview === null
        ? html`<div id="preview-page" data-same></div>`
        : html`<div id="preview-page">${showPreview(side.preview, side.address)}</div>`;
    case 'changes':
      return renderChanges(side);
    case 'checks':
      return renderChecks(side.story);
    case 'activity':
      return renderActivity(side.story, side);
  }
}

function renderChanges({ story, changes, live, layout, address, send }: Side): Html {
  const files = renderFiles(story, send);
  const soFar =
    files &&
    html`${files}${renderLive(live, { layout, send })}${story.job.pull_request_number !== null && html`<h3 class="part">The pull request before this run</h3>`}`;
  const { status, pull_request_url: url } = story.job;
  if (changes === null && url !== null) return html`${soFar}<div id="diff" data-same></div>`;
  if (changes === null || changes.kind === 'none' || url === null)
    return (
      soFar ||
      html`<div class="empty small">${icon('file')}<p>${status === 'active' ? 'The change appears here as the agent makes it.' : 'This job changed nothing.'}</p></div>`
    );
  const diff =
    changes.kind === 'diff'
      ? renderDiff(changes.shown, {
          layout,
          address,
          filesUrl: `${url}/files`,
          truncated: changes.diff.truncated,
          whole: changes.whole,
        })
      : html`<p class="muted">${changes.sentence} <a href="${url}/files">See the change on GitHub</a></p>`;
  const isLate = changes.kind === 'diff' && changes.isLate;
  return html`${soFar}<div id="diff"${isLate && html` data-late`}>${diff}</div>`;
}

/** The files that a live run has changed so far. */
const renderFiles = ({ progress: { files } }: Story, send: SendItem): Html | false =>
  files.length > 0 &&
  html`<div class="so-far panel" id="so-far"><p class="hint">Changed so far</p><ul id="so-far-list">${files.map(
    ({ path, additions, deletions }) =>
      send(
        `listed-${path}`,
        html`<li id="listed-${path}">${icon('pencil')}<a href="#file-so-far-${path}"><code>${path}</code></a> ${additions !== null && deletions !== null && renderCounts({ additions, deletions })}</li>`,
      ),
  )}</ul></div>`;

const severities = { must: html`<span class="tag bad">error</span>`, should: html`<span class="tag">warning</span>` };

/** What the checks found in each run, the newest first: what stayed in the change, and what went back to the agent. */
function renderChecks(story: Story): Html {
  const found = story.runs.toReversed().map((run) => ({ run, ...listProblems(run, story) }));
  const notChecked = new Set(found.flatMap((each) => each.notChecked));
  const shown = found.filter(({ problems, more, isPublished }) => problems.length + more > 0 || isPublished);
  return html`${renderFailing(story.verdict)}${shown.map(({ run, ...each }) => renderRun(run, each))}
${shown.length === 0 && html`<div class="empty small">${icon('shield')}<p>The checks of Pagewright report no problem.</p></div>`}
${[...notChecked].map((sentence) => html`<p class="hint">${renderCodes(sentence)}</p>`)}`;
}

function renderRun(run: StoryRun, { problems, more }: FoundProblems): Html {
  const isClean = problems.length + more === 0;
  return html`<section class="checks panel padded" id="${run.run_id}-checks"><h3>Run ${run.number}</h3>
${
  isClean
    ? html`<p class="clean">${icon('check')}No problem was found.</p>`
    : html`<ul>${problems.map(
        ({ file, line, message, severity, sentBack, explanation }) =>
          html`<li${sentBack !== true && html` class="left"`}>${icon(sentBack === true ? 'message' : 'alert')}<div><p>${renderCodes(message)}</p>
<p class="hint"><code>${file}:${line}</code> ${severity !== undefined && severities[severity]} ${sentBack === true ? 'Sent back to the agent.' : 'Left in the change.'}</p>${explanation !== null && html`<p class="hint">Explained: ${renderCodes(explanation)}</p>`}</div></li>`,
      )}</ul>`
}${more > 0 && html`<p class="muted">${more} more.</p>`}</section>`;
}

/** The checks of GitHub that fail. Their names and addresses come from other Apps. */
const renderFailing = ({ failing }: Story['verdict']): Html | false =>
  failing.length > 0 &&
  html`<section class="checks panel padded" id="checks-on-github"><h3>On GitHub</h3><ul>${failing.map(
    ({ name, url }) =>
      html`<li class="left">${icon('cross')}<p>${url !== null && /^https?:\/\//.test(url) ? html`<a href="${url}" rel="noreferrer nofollow">${name}</a>` : name} <span class="muted">fails</span></p></li>`,
  )}</ul></section>`;

const versionNames: Record<PreviewVersion, string> = { marked: 'Changes marked', after: 'After', before: 'Before' };

/** A changed page as its readers will see it. */
function showPreview(found: FoundPreview, address: string): Html {
  if (found.kind === 'none') return html`<div class="empty small">${icon('file')}<p>${found.sentence}</p></div>`;
  const { pages, path, version, content, sentence } = found;
  const link = (changed: { page?: string; version?: PreviewVersion }) => {
    const { page, version: asked } = { page: path, version, ...changed };
    return `${address}?${new URLSearchParams({ tab: 'preview', page, version: asked }).toString()}`;
  };
  return html`<div class="changes-bar"><nav class="choices" aria-label="Version">${versions.map(
    (name) =>
      html`<a href="${link({ version: name })}" data-view${name === version && html` aria-current="true"`}>${versionNames[name]}</a>`,
  )}</nav></div>
${
  pages.length > 1 &&
  html`<details class="panel file-list fold" id="previewed-pages"${pages.length <= 6 && html` open`}><summary>${pages.length} pages changed</summary><nav aria-label="Changed pages"><ul>${pages.map(
    (page) =>
      html`<li><a href="${link({ page })}" data-view${page === path && html` aria-current="true"`}>${icon('file')}<code>${page}</code></a></li>`,
  )}</ul></nav></details>`
}
<article class="page-shown panel" aria-label="${path}"><p class="page-path"><code>${path}</code></p>
${sentence !== '' && html`<p class="hint">${sentence}</p>`}
${content !== undefined && ownHtml(content)}</article>`;
}

/** `renderPreview` escapes all that is foreign. */
const ownHtml = (content: string): Html => ({ html: content });

/** What stands beside the conversation. On a narrow screen, the conversation is one of them. */
const views = ['conversation', 'preview', 'changes', 'checks', 'activity'] as const;
type View = (typeof views)[number];

const viewNames: Record<View, string> = {
  conversation: 'Conversation',
  preview: 'Preview',
  changes: 'Changes',
  checks: 'Checks',
  activity: 'Activity',
};

/** The view of an address. Undefined: none is asked for. An address that asks how changes look asks for them. */
export function readView({ tab, diff }: Record<string, unknown>): View | undefined {
  return views.find((view) => view === tab) ?? (diff === undefined ? undefined : 'changes');
}

/** Beside the conversation, if the address asks for none. */
export const besideOf = (view: View | undefined): Exclude<View, 'conversation'> =>
  view === undefined || view === 'conversation' ? 'changes' : view;

export function renderViews(options: {
  address: string;
  view: View | undefined;
  counts: Partial<Record<View, number>>;
}): Html {
  const { address, view, counts } = options;
  const isConversation = view === undefined || view === 'conversation';
  return html`<nav class="views${isConversation && ' at-conversation'}" id="views" data-live aria-label="Views"><ul>${views.map(
    (name) =>
      html`<li class="view-${name}"><a href="${address}?tab=${name}" data-view${name === besideOf(view) && html` aria-current="page"`}>${viewNames[name]}${(counts[name] ?? 0) > 0 && html` <span class="count">${counts[name]}</span>`}</a></li>`,
  )}</ul></nav>`;
}
