import { createHash } from 'node:crypto';
import { Parked, RunFailure } from '../errors.ts';
import type { PullRequest } from '../github/pull-request.ts';
import type { RepositoryClient } from '../github/repository-client.ts';
import { type Job, listJobsWithPullRequest } from '../store/jobs.ts';
import { listProjectsInUse, type Project, storePullRequestsEtag } from '../store/projects.ts';
import { inTransaction } from '../store/store.ts';
import { applyPullRequest } from './apply-pull-request.ts';
import type { DeliveryParts } from './event-handler.ts';

/**
 * Makes every job what its pull request is on GitHub, where webhooks told nothing of it: after a week's sleep, or when one got lost. One
 * request per project, and none that counts while neither its list of open pull requests nor its jobs have changed. A project that cannot
 * be read stops no other.
 */
export async function reconcilePullRequests(parts: DeliveryParts, signal: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (const project of await listProjectsInUse(parts.database)) {
    const jobs = await listJobsWithPullRequest(parts.database, project.project_id);
    if (jobs.length === 0) continue;
    signal.throwIfAborted();
    try {
      await reconcileProject(parts, { project, jobs, signal });
    } catch (error) {
      // A repository that is gone, or an installation that was suspended or blocked just now: the next round sees to those.
      if (!(error instanceof RunFailure || error instanceof Parked)) failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `could not reconcile ${failures.length} projects`);
}

async function reconcileProject(
  parts: DeliveryParts,
  { project, jobs, signal }: { project: Project; jobs: Job[]; signal: AbortSignal },
): Promise<void> {
  const { database, openProject } = parts;
  const permissions = { pull_requests: 'read' } as const;
  await using access = await openProject(project, permissions, signal);
  const { client } = access;
  const compared = readCompared(project, jobs);
  const answer = await client.listOpenPullRequests({ etag: compared.etag });
  if (answer.kind === 'unchanged') return;
  const open = new Map(answer.pullRequests.map((pullRequest) => [pullRequest.number, pullRequest]));
  for (const job of jobs) await reconcileJob(parts, { job, client, open });
  await storePullRequestsEtag(database, project.project_id, answer.etag && `${compared.digest} ${answer.etag}`);
}

/**
 * The list that these very jobs were compared with, if there is one. What was opened and closed between two comparisons leaves a list as
 * it was, so an entity tag alone does not say that all is well.
 */
function readCompared(
  { pull_requests_etag: stored }: Project,
  jobs: readonly Job[],
): { digest: string; etag: string | null } {
  const held = jobs.map(({ job_id, status, base, pull_request_updated_at }) => [
    job_id,
    status === 'archived',
    base,
    pull_request_updated_at,
  ]);
  const digest = createHash('sha256').update(JSON.stringify(held)).digest('base64url');
  return { digest, etag: stored?.startsWith(`${digest} `) ? stored.slice(digest.length + 1) : null };
}

async function reconcileJob(
  parts: DeliveryParts,
  { job, client, open }: { job: Job; client: RepositoryClient; open: Map<number, PullRequest> },
): Promise<void> {
  const number = job.pull_request_number;
  if (number === null) return;
  // Archived and still closed: as it should be.
  if (job.status === 'archived' && !open.has(number)) return;
  const now = open.get(number) ?? (await client.fetchPullRequest(number));
  if (!now) return;
  const isSame = job.status !== 'archived' && now.state === 'open' && now.base === job.base;
  if (isSame) return;
  const isClosedByUs = await client.isClosedByUs(now);
  await inTransaction(parts, (store) => applyPullRequest(store, job, { ...now, isClosedByUs, isReopened: false }));
}
