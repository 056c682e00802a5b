import { createHash } from 'node:crypto';
import type { PullRequest } from '../../github/calls/pull-request-calls.ts';
import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import { isOutOfReach } from '../../projects/follow-transfer.ts';
import { inTransaction } from '../../store/store.ts';
import { type Job, listJobsWithPullRequest } from '../../store/tables/jobs.ts';
import type { Project } from '../../store/tables/projects.ts';
import { listProjectsInUse, markProjectReconciled, storePullRequestsEtag } from '../../store/tables/projects-in-use.ts';
import { applyPullRequest, readPullRequestState } from '../apply-pull-request.ts';
import type { DeliveryParts } from '../delivery-context.ts';
import { workThrough } from './work-through.ts';

/**
 * Makes every job what its pull request is on GitHub, where webhooks told nothing of it: after a week's sleep, or when one got lost. One
 * request per project, which GitHub does not count where it answers that the list is as it was. As `workThrough` does it.
 */
export async function reconcilePullRequests(
  parts: DeliveryParts,
  signal: AbortSignal,
  timeUp?: AbortSignal,
): Promise<void> {
  const { database, log } = parts;
  const projects = await listProjectsInUse(database, { by: 'compared_at', isReconciled: true });
  // Projects of one installation come together, so that one token serves for them. The first of all is still the one that waits longest.
  const grouped = [...Map.groupBy(projects, (project) => project.installation_id).values()].flat();
  await workThrough(grouped, {
    ...{ log, signal, timeUp },
    about: (project) => ({ projectId: project.project_id }),
    isPassing: isOutOfReach,
    async work(project, until) {
      await markProjectReconciled(database, project.project_id);
      const jobs = await listJobsWithPullRequest(database, project.project_id);
      if (jobs.length === 0) return;
      await reconcileProject(parts, { project, jobs, signal: until });
    },
  });
}

async function reconcileProject(
  parts: DeliveryParts,
  { project, jobs, signal }: { project: Project; jobs: Job[]; signal: AbortSignal },
): Promise<void> {
  const { database, openProject, log } = parts;
  const permissions = { pull_requests: 'read' } as const;
  await using access = await openProject(project, permissions, signal, { isForInstallation: true });
  const { client } = access;
  const compared = readCompared(project, jobs);
  const answer = await client.listOpenPullRequests({ etag: compared.etag });
  if (answer.kind === 'unchanged') return;
  const open = new Map(answer.pullRequests.map((pullRequest) => [pullRequest.number, pullRequest]));
  const isAllDone = await workThrough(jobs, {
    ...{ log, signal, timeUp: signal },
    about: ({ job_id: jobId }) => ({ projectId: project.project_id, jobId }),
    work: (job, until) => reconcileJob(parts, { project, job, client, open, signal: until }),
  });
  // With the entity tag kept, GitHub would say next time that the list is as it was, and the jobs that are left would not be looked at.
  if (!isAllDone) return;
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
  {
    project,
    job,
    client,
    open,
    signal,
  }: { project: Project; job: Job; client: RepositoryClient; open: Map<number, PullRequest>; signal: AbortSignal },
): Promise<void> {
  const number = job.pull_request_number;
  if (number === null) return;
  // Archived and still closed: as it should be.
  if (job.status === 'archived' && !open.has(number)) return;
  const now = open.get(number) ?? (await client.fetchPullRequest(number));
  // A token for the installation also reads another repository that has taken the name of this one.
  if (now?.headRepositoryId !== project.repository_id) return;
  const isSame = job.status !== 'archived' && now.state === 'open' && now.base === job.base;
  if (isSame) return;
  const state = await readPullRequestState(parts, project, now, signal);
  await inTransaction(parts, (store) => applyPullRequest(store, job, state));
}
