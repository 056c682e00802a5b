import type { Request, Response } from 'express';
import { nameJob } from '../../../../jobs/list-job-rows.ts';
import { readRunAnswer } from '../../../../jobs/shown-publication.ts';
import type { Database } from '../../../../store/postgres/database.ts';
import type { Project } from '../../../../store/tables/repositories/projects.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { DashboardParts } from '../../dashboard-parts.ts';
import { icon, renderBehind, renderField, renderReload } from '../../frame/elements.ts';
import { type DashboardPage, linkTo, nameProject } from '../../frame/render-page.ts';
import type { Colour } from '../../highlight/create-colourer.ts';
import { createCookie } from '../../people/cookies.ts';
import type { ProjectVisit } from '../../people/page-routes.ts';
import { createReadChanges, type ReadLive } from '../changes/read-changes.ts';
import type { DiffLayout } from '../changes/render-lines.ts';
import { createReadPreview, versions } from '../preview/read-preview.ts';
import { renderConversation } from '../story/conversation.ts';
import { findState, type JobState, nameState } from '../story/find-state.ts';
import { countLeft, readStory, readVisitedJob, type Story } from '../story/read-story.ts';
import { type Prose, renderProse } from '../story/render-markdown.ts';
import { type SendItem, sendWhole } from '../story/send-item.ts';
import { renderHead } from './job-head.ts';
import { besideOf, readView, renderSide, renderViews, type ShownJob } from './render-side.ts';

/** What the page and its stream share. */
export interface LiveParts {
  colour: Colour;
  readLive: ReadLive;
}

/** What the page of a job and its stream show: the job of the address, without its change on GitHub. */
export function createReadJob({ config, redact, origin, runTask }: DashboardParts, { readLive }: LiveParts) {
  const readLayout = createDiffLayout({ origin });
  return async function readJob(visit: ProjectVisit, part: { before?: number | undefined; at?: string | undefined }) {
    const { project, request, signal, withStore } = visit;
    const view = readView(request.query);
    const beside = besideOf(view);
    const findJob = (snapshot: Database) => readVisitedJob(snapshot, visit);
    const story = await withStore(({ database }) =>
      readStory(database, { findJob, ...part, hasResults: beside === 'activity', redact }),
    );
    const prose = await renderTextsOf(story, project, { config, runTask, signal });
    const live = beside === 'changes' ? await readLive(project, story) : [];
    const unread = { changes: null, preview: null };
    return { project, story, prose, live, ...unread, view, layout: readLayout(visit), config } satisfies ShownJob;
  };
}

/** The page of the job of an address, with what the view that is asked for needs. */
export function createShowJob(parts: DashboardParts, live: LiveParts) {
  const readJob = createReadJob(parts, live);
  const readPreview = createReadPreview(parts);
  const readChanges = createReadChanges({ ...parts, colour: live.colour });

  return async function showJob(visit: ProjectVisit, followUp: FollowUp = {}): Promise<DashboardPage> {
    const { project, request } = visit;
    const asked = (name: string, form?: RegExp) => {
      const value = request.query[name];
      return typeof value === 'string' && form?.test(value) !== false ? value : undefined;
    };
    const [before, gap] = [asked('before', /^\d{1,9}$/), asked('gap', /^\d{1,7}$/)].map((text) =>
      text === undefined ? text : Number(text),
    );
    const shown = await readJob(visit, { before, at: asked('at') });
    const { story, view } = shown;
    const { job } = story;
    const isShown = besideOf(view) === 'changes';
    const changes = await readChanges({ project, job, isShown, whole: asked('whole'), gap });
    const version = versions.find((name) => name === asked('version')) ?? 'marked';
    const sha = story.runs.findLast(({ commit_sha: pushed }) => pushed !== null)?.commit_sha;
    const imagesUrl = sha ? linkTo(project.project_id).images(job.job_id, sha) : undefined;
    const preview =
      view === 'preview' ? await readPreview({ project, job, changes, page: asked('page'), version, imagesUrl }) : null;
    const edited = story.messages.find(({ message_id: messageId }) => messageId === asked('edit'));
    return jobPage({ ...shown, changes, preview, followUp: { ...(edited && { typed: edited.prompt }), ...followUp } });
  };
}

/** Renders the Markdown of a job's page. Addresses of files lead to the job's commit on GitHub. */
function renderTextsOf(
  { messages, runs, turns, job }: Story,
  project: Project,
  options: { config: DashboardParts['config']; runTask: DashboardParts['runTask']; signal: AbortSignal },
): Promise<Prose> {
  const { config, runTask, signal } = options;
  const texts = [...messages.map(({ prompt }) => prompt), ...runs.map(readRunAnswer), ...turns.map(({ text }) => text)];
  const commit = runs.findLast(({ commit_sha: sha }) => sha !== null)?.commit_sha;
  const filesUrl = `${config.github.webUrl}/${nameProject(project)}/blob/${commit ?? encodeURIComponent(job.base)}`;
  return renderProse({ texts: texts.filter((text) => text !== null), filesUrl }, { runTask, signal });
}

const yearMs = 365 * 24 * 3600_000;

/** How this browser shows changes: as the address asks, which is remembered, or as it did last. */
function createDiffLayout({ origin }: { origin: () => string }) {
  const cookie = createCookie({ name: 'pagewright_diff', origin });
  return function read({ request, response }: { request: Request; response: Response }): DiffLayout {
    const { diff } = request.query;
    if (diff !== 'unified' && diff !== 'split') return cookie.read(request) === 'split' ? 'split' : 'unified';
    // A stream has sent its headers.
    if (!response.headersSent) cookie.write(response, diff, { maxAgeMs: yearMs });
    return diff;
  };
}

interface FollowUp {
  typed?: string;
  problem?: string;
  status?: number;
  /** An action that could not be done. */
  notice?: string;
}

/** A conversation, and beside it what came of it. */
function jobPage({ followUp, ...shown }: ShownJob & { followUp: FollowUp }): DashboardPage {
  const { project, story } = shown;
  const { job } = story;
  const address = linkTo(project.project_id).job(job.job_id);
  const live = renderLiveParts(shown, { send: sendWhole, notice: followUp.notice });
  const body = html`${live.head}
${renderBehind()}
${renderReload()}
<p class="sr" role="status" id="news"></p>
<div class="panes">
<section class="conversation" aria-labelledby="conversation"><h2 class="sr" id="conversation">Conversation</h2>
<div class="pane from-end" tabindex="0" role="group" aria-label="Messages and runs">${live.story}</div>
${job.status !== 'archived' && renderFollowUp(address, followUp)}
</section>
<div class="beside">${live.views}<div class="pane" tabindex="0" role="group" aria-label="Result">${live.side}</div></div>
</div>`;
  // The tab of a browser tells that a job has ended.
  const state = findState(job, story.runs.at(-1)?.code ?? null);
  const title = `${nameState(state)}: ${nameJob(story)}`;
  return {
    status: followUp.status ?? 200,
    title,
    sign: signs[state],
    skips: job.status === 'archived' ? [] : [{ name: 'follow-up', id: 'end' }],
    project,
    tab: 'Jobs',
    isWorkspace: true,
    body,
  };
}

const signs: Partial<Record<JobState, DashboardPage['sign']>> = {
  working: 'working',
  review: 'ready',
  failed: 'failed',
};

/** The elements that follow the job, by `data-live`. */
export function renderLiveParts(
  shown: ShownJob,
  { send, notice }: { send: SendItem; notice: string | undefined },
): Record<'head' | 'story' | 'views' | 'side', Html> {
  const { project, story, prose, changes, view } = shown;
  const { job } = story;
  const address = linkTo(project.project_id).job(job.job_id);
  const events = `${address}/events?after=${job.next_event - 1}${view === undefined ? '' : `&tab=${view}`}`;
  const files = changes?.kind === 'diff' ? changes.diff.files.length : 0;
  const counts = { changes: files, checks: countLeft(story) };
  return {
    head: html`<div class="job-head" id="job" data-live${story.isNewest && html` data-position="after" data-events="${events}"`}>${renderHead(shown, { address, notice })}</div>`,
    story: html`<div id="story" data-live>${renderConversation(story, { address, send, prose })}</div>`,
    views: changes === null ? html`` : renderViews({ address, view, counts }),
    side: renderSide({ ...shown, address, send }),
  };
}

const renderFollowUp = (
  address: string,
  { typed = '', problem }: FollowUp,
): Html => html`<form class="form follow-up" id="end" method="post" action="${address}/messages">
${renderField(
  { name: 'prompt', label: 'Follow-up', problem },
  (attributes) => html`<textarea${attributes} rows="2" required maxlength="64000" placeholder="Ask for a change">
${typed}</textarea>`,
)}
<p class="actions"><span class="hint keys">Ctrl+Enter sends</span><button>${icon('send')}Send</button></p>
</form>`;
