import type { DashboardParts } from '../../dashboard-parts.ts';
import { linkTo } from '../../frame/project-links.ts';
import type { DashboardPage } from '../../frame/render-page.ts';
import type { Colour } from '../../highlight/create-colourer.ts';
import type { ProjectVisit } from '../../people/page-routes.ts';
import { createDiffLayout } from '../changes/diff-layout.ts';
import { createReadChanges } from '../changes/read-changes.ts';
import type { ReadLive } from '../changes/read-live.ts';
import { createReadPreview, versions } from '../preview/read-preview.ts';
import { readStory, readVisitedJob } from '../story/read-story.ts';
import { renderTextsOf } from '../story/render-texts.ts';
import { type FollowUp, jobPage } from './job-page.ts';
import { besideOf, readView } from './views.ts';

/** What the page and its stream share. */
export interface LiveParts {
  colour: Colour;
  readLive: ReadLive;
}

/** The page of the job of an address, with what the view that is asked for needs. */
export function createShowJob(parts: DashboardParts, { colour, readLive }: LiveParts) {
  const { config, redact, origin, runTask } = parts;
  const readPreview = createReadPreview(parts);
  const readChanges = createReadChanges({ ...parts, colour });
  const readLayout = createDiffLayout({ origin });

  return async function showJob(visit: ProjectVisit, followUp: FollowUp = {}): Promise<DashboardPage> {
    const { project, request, withStore } = visit;
    const asked = (name: string) => {
      const value = request.query[name];
      return typeof value === 'string' ? value : undefined;
    };
    const before = /^\d{1,9}$/.exec(asked('before') ?? '')?.[0];
    const view = readView(request.query);
    const story = await withStore(({ database }) =>
      readStory(database, {
        findJob: (snapshot) => readVisitedJob(snapshot, visit),
        before: before === undefined ? undefined : Number(before),
        at: asked('at'),
        hasResults: besideOf(view) === 'activity',
        redact,
      }),
    );
    const { job } = story;
    const prose = await renderTextsOf(story, project, { config, runTask, signal: visit.signal });
    const gap = /^\d{1,7}$/.exec(asked('gap') ?? '')?.[0];
    const isShown = besideOf(view) === 'changes';
    const changes = await readChanges({
      project,
      job,
      isShown,
      whole: asked('whole'),
      gap: gap === undefined ? gap : Number(gap),
    });
    const version = versions.find((name) => name === asked('version')) ?? 'marked';
    const sha = story.runs.findLast(({ commit_sha: pushed }) => pushed !== null)?.commit_sha;
    const imagesUrl = sha ? linkTo(project.project_id).images(job.job_id, sha) : undefined;
    const preview =
      view === 'preview' ? await readPreview({ project, job, changes, page: asked('page'), version, imagesUrl }) : null;
    const edited = story.messages.find(({ message_id: messageId }) => messageId === asked('edit'));
    return jobPage({
      project,
      story,
      prose,
      changes,
      live: await readLive(project, story, view),
      preview,
      view,
      layout: readLayout(visit),
      followUp: { ...(edited && { typed: edited.prompt }), ...followUp },
      config,
    });
  };
}
