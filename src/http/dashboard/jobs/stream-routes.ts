import type { Router } from 'express';
import type { EventFeed } from '../../../job-feed/event-feed.ts';
import { listJobRows } from '../../../jobs/list-job-rows.ts';
import { pause } from '../../../pause.ts';
import type { StoredEvent } from '../../../store/tables/jobs/events.ts';
import type { DashboardParts } from '../dashboard-parts.ts';
import { linkTo } from '../frame/render-page.ts';
import type { PageRoutes, ProjectVisit } from '../people/page-routes.ts';
import { createListFollower } from './list/follow-list.ts';
import { jobsPerPage, readJobFilter } from './list/jobs-page.ts';
import type { ShownJob } from './page/render-side.ts';
import { createReadJob, type LiveParts, renderLiveParts } from './page/show-job.ts';
import { readVisitedJob } from './story/read-story.ts';
import { createSender } from './story/send-item.ts';

const watchWithinMs = 5_000;

/** Streams for pages: a list of jobs, and the events of a job. They end with the session or the permission. */
export function createStreamRoutes(parts: DashboardParts, { forWriters }: PageRoutes, live: LiveParts): Router {
  const { feed, openStream, projectFeed, roles, log } = parts;
  const readJob = createReadJob(parts, live);
  const followList = createListFollower({ feed: projectFeed, log });
  const links = linkTo(':projectId');
  const { router, get } = forWriters();

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

  get(links.events, async (visit) => {
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
  });
  get(`${links.job(':jobId')}/events`, async (visit) => {
    const { request, response, withStore } = visit;
    const { job_id: jobId } = await withStore(({ database }) => readVisitedJob(database, visit));
    const after = Number(readPosition(visit, 'after', /^\d{1,9}$/) ?? 0);
    const read = () => readJob(visit, {});
    const frames = (signal: AbortSignal) => followJob({ feed, jobId, after, read, signal });
    const isCompressed = request.acceptsEncodings('gzip') === 'gzip';
    await openStream(response, { ...reading(visit), isCompressed, frames });
    return null;
  });
  return router;
}

/** A page needs one of the changes of a moment. */
const paceMs = 200;

/** After these, the change on GitHub may be another one: the page reads all of it again. */
const isOfWholePage = ({ type }: StoredEvent) => type.startsWith('pull_request.') || type.startsWith('job.');

/**
 * Yields what changed on the page of a job as HTML: the elements with `data-live`, without the items that the page has already. Of
 * events that concern all of the page, it yields only the names. The id of a frame is the number of the newest event that it shows, so a reader that resumes misses nothing.
 */
async function* followJob(options: {
  feed: EventFeed;
  jobId: string;
  after: number;
  /** The page, without the change on GitHub. */
  read: () => Promise<ShownJob>;
  signal: AbortSignal;
}): AsyncGenerator<string> {
  const { feed, jobId, after, read, signal } = options;
  let send = createSender();
  async function render() {
    const shown = await read();
    const { head, story, side } = renderLiveParts(shown, { send, notice: undefined });
    return { seq: shown.story.job.next_event - 1, text: head.html + story.html + side.html };
  }
  // The page has this already, unless more has happened since.
  const first = await render();
  let seen = first.seq;
  if (first.seq > after) yield formatFrame('changed', first);
  for await (const events of feed.follow({ jobId, after, signal })) {
    const seq = events.at(-1)?.seq ?? seen;
    const important = events.filter(isOfWholePage);
    for (const { type, seq } of important) yield formatFrame(type, { seq, text: '' });
    if (important.length > 0) send = createSender();
    else if (seq > seen) {
      const fresh = await render();
      seen = fresh.seq;
      yield formatFrame('changed', fresh);
    }
    await pause(paceMs, signal).catch(() => {});
  }
}

const formatFrame = (type: string, { seq, text }: { seq: number; text: string }) =>
  `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify(text)}\n\n`;
