import { Router } from 'express';
import { listJobRows } from '../../../jobs/list-job-rows.ts';
import type { Database } from '../../../store/postgres/database.ts';
import type { DashboardParts } from '../dashboard-parts.ts';
import { linkTo } from '../frame/project-links.ts';
import type { PageRoutes, ProjectVisit } from '../people/page-routes.ts';
import { createListFollower } from './list/follow-list.ts';
import { jobsPerPage, readJobFilter } from './list/jobs-page.ts';
import type { LiveParts } from './page/show-job.ts';
import { besideOf, readView } from './page/views.ts';
import { followJob } from './story/follow-job.ts';
import { readStory, readVisitedJob } from './story/read-story.ts';
import { renderTextsOf } from './story/render-texts.ts';

const watchWithinMs = 5_000;

/** Streams for pages: a list of jobs, and the events of a job. They end with the session or the permission. */
export function createStreamRoutes(
  { feed, openStream, projectFeed, roles, redact, runTask, config, log }: DashboardParts,
  { forWriters }: PageRoutes,
  { readLive }: LiveParts,
): Router {
  const followList = createListFollower({ feed: projectFeed, log });
  const links = linkTo(':projectId');
  const router = Router();

  const reading = ({ project, person, isSignedIn }: ProjectVisit) => ({
    reader: `person ${person.userId}`,
    isAllowed: async () => {
      if (!(await isSignedIn())) return false;
      const signal = AbortSignal.timeout(watchWithinMs);
      return (await roles.watch({ project, person, signal }).catch(() => 'none')) !== 'none';
    },
  });
  const readPosition = ({ request }: ProjectVisit, name: string, form: RegExp): string | undefined => {
    const asked = request.get('last-event-id') ?? request.query[name];
    return typeof asked === 'string' && form.test(asked) ? asked : undefined;
  };

  router.get(
    links.events,
    forWriters(async (visit) => {
      const { request, response, project, withStore } = visit;
      const { project_id: projectId } = project;
      const filter = readJobFilter(request.query);
      const seen = readPosition(visit, 'seen', /^[\w-]{22}$/);
      const read = async () => {
        const { rows } = await withStore(({ database }) =>
          listJobRows(database, { projectId, limit: jobsPerPage, ...filter }),
        );
        return rows;
      };
      const position = { projectId, list: JSON.stringify(filter), seen, read };
      await openStream(response, { ...reading(visit), frames: (signal) => followList({ ...position, signal }) });
      return null;
    }),
  );
  router.get(
    `${links.job(':jobId')}/events`,
    forWriters(async (visit) => {
      const { request, response, project, withStore } = visit;
      const { job_id: jobId } = await withStore(({ database }) => readVisitedJob(database, visit));
      const after = Number(readPosition(visit, 'after', /^\d{1,9}$/) ?? 0);
      const view = readView(request.query);
      const hasResults = besideOf(view) === 'activity';
      const read = async () => {
        const findJob = (snapshot: Database) => readVisitedJob(snapshot, visit);
        const story = await withStore(({ database }) => readStory(database, { findJob, hasResults, redact }));
        const prose = await renderTextsOf(story, project, { config, runTask, signal: visit.signal });
        return {
          project,
          story,
          prose,
          changes: null,
          live: await readLive(project, story, view),
          preview: null,
          view,
          layout: 'unified',
          pricing: config,
        } as const;
      };
      const frames = (signal: AbortSignal) => followJob({ feed, jobId, after, read, signal });
      await openStream(response, { ...reading(visit), frames });
      return null;
    }),
  );
  return router;
}
