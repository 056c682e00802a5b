import { z } from 'zod';
import { ApiError, notFound } from '../api/api-error.ts';
import { requireApp } from '../apps/require-app.ts';
import { createCheckRun, updateCheckRun } from '../checks/check-runs.ts';
import { presentAnnotation, presentCheckRun } from '../checks/present-check-run.ts';
import { listStatuses, presentStatus } from '../checks/statuses.ts';
import { findBranch, findCommit } from '../git/read-git.ts';
import { apiUrlOf, presentRepository } from '../json/present.ts';
import { type CheckRun, conclusions } from '../state/checks.ts';
import type { Repository } from '../state/world.ts';
import { paginate } from './paginate.ts';
import { numberParam, ok, onRepository, parseBody, type RepositoryCall, type Route } from './route.ts';

const annotationSchema = z
  .object({
    path: z.string(),
    start_line: z.number().int(),
    end_line: z.number().int(),
    annotation_level: z.enum(['notice', 'warning', 'failure']),
    message: z.string().max(64 * 1024),
    title: z.string().max(255).optional(),
  })
  .transform(({ path, start_line: startLine, end_line: endLine, annotation_level: level, message, title }) => ({
    path,
    startLine,
    endLine,
    level,
    message,
    title: title ?? null,
  }));

const reported = {
  status: z.enum(['queued', 'in_progress', 'completed']).optional(),
  conclusion: z.enum(conclusions).optional(),
  external_id: z.string().optional(),
  output: z
    .object({
      title: z.string(),
      summary: z.string().max(65_535),
      text: z.string().max(65_535).optional(),
      annotations: z.array(annotationSchema).max(50).optional(),
    })
    .optional(),
};
const createBody = z.object({ ...reported, name: z.string(), head_sha: z.string() });
const updateBody = z.object({ ...reported, name: z.string().optional() });

const read = [{ checks: 'read' as const }];
const write = [{ checks: 'write' as const }];

function findRun(call: RepositoryCall): CheckRun {
  const id = numberParam(call, 'check_run_id');
  const run = call.repository.checkRuns.find((each) => each.id === id);
  if (!run) throw notFound();
  return run;
}

/** A branch may be spelled `heads/main`. */
async function resolveRef({ directory }: Repository, ref: string): Promise<string> {
  const sha = (await findBranch(directory, ref.replace(/^heads\//, ''))) ?? (await findCommit(directory, ref));
  if (!sha) throw new ApiError(422, `No commit found for SHA: ${ref}`);
  return sha;
}

/** https://docs.github.com/en/rest/checks/runs and https://docs.github.com/en/rest/commits/statuses */
export const checkRoutes: Route[] = [
  onRepository.get('/commits/:ref/check-runs', read, async (call) => {
    const { repository, params, query } = call;
    const sha = await resolveRef(repository, params.ref ?? '');
    const ofCommit = repository.checkRuns.filter(
      (run) =>
        run.headSha === sha &&
        (query.check_name === undefined || run.name === query.check_name) &&
        (query.app_id === undefined || run.app.id === Number(query.app_id)),
    );
    const latest = new Map(ofCommit.map((run) => [`${run.suiteId} ${run.name}`, run]));
    const found = query.filter === 'all' ? ofCommit : [...latest.values()];
    return paginate(call, found, (page) => ({
      total_count: found.length,
      check_runs: page.map((run) => presentCheckRun(repository, run)),
    }));
  }),
  onRepository.get('/commits/:ref/status', [{ statuses: 'read' }], async (call) => {
    const { repository, params } = call;
    const sha = await resolveRef(repository, params.ref ?? '');
    const found = listStatuses(repository, sha);
    const states = found.map(({ state }) => state);
    const url = `${apiUrlOf(repository)}/commits/${sha}`;
    const isFailing = states.some((state) => state === 'failure' || state === 'error');
    const isPassing = states.length > 0 && states.every((state) => state === 'success');
    return paginate(call, found, (page) => ({
      state: isFailing ? 'failure' : isPassing ? 'success' : 'pending',
      statuses: page.map((status) => presentStatus(repository, status)),
      sha,
      total_count: found.length,
      repository: presentRepository(repository),
      commit_url: url,
      url: `${url}/status`,
    }));
  }),
  onRepository.post('/check-runs', write, async ({ world, repository, bot, body }) => {
    const { name, head_sha: headSha, external_id: externalId, output, ...rest } = parseBody(createBody, body);
    if (!(await findCommit(repository.directory, headSha)))
      throw new ApiError(422, `No commit found for SHA: ${headSha}`);
    const app = requireApp(world);
    const report = { name, headSha, externalId, app: { id: app.id, slug: app.slug }, ...rest, ...output };
    return ok(presentCheckRun(repository, createCheckRun(repository, report, bot)), 201);
  }),
  onRepository.patch('/check-runs/:check_run_id', write, (call) => {
    const { world, repository, bot, body } = call;
    const run = findRun(call);
    if (run.app.id !== requireApp(world).id) throw new ApiError(403, 'Invalid app_id for check run');
    const { output, status, conclusion } = parseBody(updateBody, body);
    updateCheckRun(repository, run, { status, conclusion, ...output }, bot);
    return ok(presentCheckRun(repository, run));
  }),
  onRepository.get('/check-runs/:check_run_id/annotations', read, (call) => {
    const { repository } = call;
    const run = findRun(call);
    const numbered = run.annotations.map((annotation, id) => ({ ...annotation, id }));
    return paginate(call, numbered, (page) => page.map((each) => presentAnnotation(repository, run, each)));
  }),
  onRepository.get('/actions/runs', [{ actions: 'read' }], (call) => {
    const { repository, query } = call;
    const suites = new Map(
      repository.checkRuns
        .filter(({ headSha }) => headSha === query.head_sha)
        .map(({ suiteId, headSha, workflow = { id: 1, event: 'push' } }) => [suiteId, { headSha, ...workflow }]),
    );
    const found = [...suites].map(([suiteId, { headSha, id, event }]) => ({
      id: suiteId + 1,
      check_suite_id: suiteId,
      workflow_id: id,
      head_sha: headSha,
      event,
    }));
    return paginate(call, found, (page) => ({ total_count: found.length, workflow_runs: page }));
  }),
  onRepository.get('/actions/jobs/:job_id/logs', [{ actions: 'read' }], (call) => {
    const { world, repository } = call;
    const id = numberParam(call, 'job_id');
    const run = repository.checkRuns.find((each) => each.id === id && each.log !== null);
    if (!run) throw notFound();
    // Another origin, as on github.com: clients leave out their credentials there.
    const origin = world.webUrl.replace('127.0.0.1', 'localhost');
    return { status: 302, headers: { location: `${origin}/signed-logs/${repository.id}/${id}` } };
  }),
];
