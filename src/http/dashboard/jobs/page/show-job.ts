import type { Request, Response } from 'express';
import { readRunAnswer } from '../../../../jobs/shown-publication.ts';
import type { Database } from '../../../../store/postgres/database.ts';
import type { Project } from '../../../../store/tables/repositories/projects.ts';
import type { DashboardParts } from '../../dashboard-parts.ts';
import { linkTo, nameProject } from '../../frame/project-links.ts';
import type { DashboardPage } from '../../frame/render-page.ts';
import type { Colour } from '../../highlight/create-colourer.ts';
import { createCookie } from '../../people/cookies.ts';
import type { ProjectVisit } from '../../people/page-routes.ts';
import { createReadChanges } from '../changes/read-changes.ts';
import type { ReadLive } from '../changes/read-live.ts';
import type { DiffLayout } from '../changes/render-lines.ts';
import { createReadPreview, versions } from '../preview/read-preview.ts';
import { readStory, readVisitedJob, type Story } from '../story/read-story.ts';
import { type Prose, renderProse } from '../story/render-markdown.ts';
import { type FollowUp, jobPage } from './job-page.ts';
import type { ShownJob } from './render-side.ts';
import { besideOf, readView } from './views.ts';

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
    const hasResults = besideOf(view) === 'activity';
    const findJob = (snapshot: Database) => readVisitedJob(snapshot, visit);
    const story = await withStore(({ database }) => readStory(database, { findJob, ...part, hasResults, redact }));
    const prose = await renderTextsOf(story, project, { config, runTask, signal });
    const live = await readLive(project, story, view);
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
