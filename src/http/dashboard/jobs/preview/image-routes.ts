import type { Router } from 'express';
import type { ReadFileAt } from '../../../../diffs/read-files.ts';
import { askGitHub } from '../../../../projects/ask-github.ts';
import { findRunOfPush } from '../../../../store/tables/jobs/runs.ts';
import { pageNotFound } from '../../frame/page-refusal.ts';
import { linkTo } from '../../frame/render-page.ts';
import type { PageRoutes } from '../../people/page-routes.ts';
import { readVisitedJob } from '../story/read-story.ts';
import { imageTypeOf } from './image-types.ts';

/** Where sites keep what is served from their root. */
const roots = ['', 'static/', 'public/', 'docs/', 'docs/public/'];

const headers = {
  // An image that is opened by itself runs nothing, loads nothing and belongs to no site.
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'private, max-age=3600',
};

/** Images of the repository for previews: only of commits that the job pushed, and only for people who may see the job. */
export function createImageRoutes({ readFile }: { readFile: ReadFileAt }, { forWriters }: PageRoutes): Router {
  const { router, get } = forWriters();
  get(linkTo(':projectId').images(':jobId', ':sha'), async (visit) => {
    const { project, request, response, signal, withStore } = visit;
    const { path } = request.query;
    const sha = String(request.params.sha);
    const type = typeof path === 'string' ? imageTypeOf(path) : undefined;
    if (typeof path !== 'string' || type === undefined || !/^[0-9a-f]{40}$/.test(sha)) throw pageNotFound();
    const isPushed = await withStore(async ({ database }) => {
      const { job_id: jobId } = await readVisitedJob(database, visit);
      return (await findRunOfPush(database, { jobId, sha })) !== undefined;
    });
    if (!isPushed) throw pageNotFound();
    const places = path.startsWith('/') ? roots.map((root) => `${root}${path.slice(1)}`) : [path];
    for (const place of places) {
      const asked = await askGitHub(() => readFile({ project, of: { sha }, path: place, signal }));
      if (asked.kind !== 'answered' || !asked.result) continue;
      response.set(headers).type(type).send(asked.result);
      return null;
    }
    throw pageNotFound();
  });
  return router;
}
