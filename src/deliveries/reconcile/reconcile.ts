import { createHash } from 'node:crypto';
import { noteHappening } from '../../automations/note-happening.ts';
import type { PullRequest } from '../../github/calls/pull-request-calls.ts';
import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import { isOutOfReach } from '../../projects/follow-transfer.ts';
import { inTransaction } from '../../store/store.ts';
import { listTriggeringProjects, markOccasionsRead } from '../../store/tables/automations/automations.ts';
import { type Job, listJobsWithPullRequest } from '../../store/tables/jobs/jobs.ts';
import {
  listProjectsInUse,
  markProjectReconciled,
  type Project,
  storePullRequestsEtag,
} from '../../store/tables/repositories/projects.ts';
import { raiseWatermark } from '../../store/tables/repositories/watermarks.ts';
import { applyPullRequest, readPullRequestState } from '../apply-pull-request.ts';
import type { DeliveryParts } from '../delivery-context.ts';
import { describeMerge, describeRelease } from '../describe-happening.ts';
import { reconcileEach, reconcileProjects } from './reconcile-each.ts';
import { reconcileInstallations } from './reconcile-installation.ts';
import { refreshBroken } from './refresh-settings.ts';

/** Applies changes whose webhooks were lost. A failure of one part does not stop the others. */
export async function reconcile(parts: DeliveryParts, signal: AbortSignal): Promise<void> {
  await raiseWatermark(parts.database, 'reconcile');
  const failures: unknown[] = [];
  for (const part of [reconcileInstallations, reconcilePullRequests, refreshBroken, reconcileOccasions]) {
    await part(parts, signal).catch((error: unknown) => failures.push(error));
    signal.throwIfAborted();
  }
  if (failures.length > 0) throw new AggregateError(failures, 'could not reconcile with GitHub');
}

/** Older ones were told, or GitHub has redelivered them. */
const lookBackMs = 3 * 24 * 3600_000;
const mostListed = 50;

/** Notes merges and releases whose webhooks were lost: each once, however it was told. Two requests for each repository that triggers. */
export async function reconcileOccasions(
  parts: DeliveryParts,
  signal: AbortSignal,
  timeUp?: AbortSignal,
): Promise<void> {
  await reconcileProjects(parts, await listTriggeringProjects(parts.database), {
    signal,
    timeUp,
    async reconcile(project, until) {
      await markOccasionsRead(parts.database, project.project_id);
      await reconcileRepository(parts, project, until);
    },
  });
}

async function reconcileRepository(parts: DeliveryParts, project: Project, signal: AbortSignal): Promise<void> {
  const { github, openProject } = parts;
  const since = Date.now() - lookBackMs;
  const repository = { repositoryId: project.repository_id, repository: `${project.owner}/${project.repo}` };
  const botLogin = await github.fetchBotLogin(signal);
  await using access = await openProject(project, { pull_requests: 'read', contents: 'read' }, signal);
  const { client } = access;
  const base = project.default_branch;
  const merged = await client.listMerged({ base, most: mostListed });
  const released = await client.listReleases({ most: mostListed });
  const happenings = [
    ...merged.map((pullRequest) => describeMerge(repository, { ...pullRequest, botLogin })),
    ...released.flatMap(({ draft, publishedAt, id: releaseId, author: { isBot: isByBot } }) =>
      draft || !publishedAt ? [] : [describeRelease(repository, { releaseId, isByBot, publishedAt })],
    ),
  ];
  for (const happening of happenings)
    if (happening.occurredAt.getTime() > since) await inTransaction(parts, (store) => noteHappening(store, happening));
}

/** Takes one request per project, which does not count against the rate limit while the list is unchanged. */
export async function reconcilePullRequests(
  parts: DeliveryParts,
  signal: AbortSignal,
  timeUp?: AbortSignal,
): Promise<void> {
  const { database } = parts;
  const projects = await listProjectsInUse(database, { by: 'compared_at', isReconciled: true });
  // Grouped by installation, to share a token. The project that has waited longest stays first.
  const grouped = [...Map.groupBy(projects, (project) => project.installation_id).values()].flat();
  await reconcileProjects(parts, grouped, {
    signal,
    timeUp,
    isExpected: isOutOfReach,
    async reconcile(project, until) {
      await markProjectReconciled(database, project.project_id);
      const jobs = await listJobsWithPullRequest(database, project.project_id);
      if (jobs.length === 0) return;
      await reconcileProject(parts, project, jobs, until);
    },
  });
}

async function reconcileProject(
  parts: DeliveryParts,
  project: Project,
  jobs: Job[],
  signal: AbortSignal,
): Promise<void> {
  const { database, openProject, log } = parts;
  const permissions = { pull_requests: 'read' } as const;
  await using access = await openProject(project, permissions, signal, { isForInstallation: true });
  const { client } = access;
  const digest = digestJobs(jobs);
  const etag = project.pull_requests_etag?.startsWith(`${digest} `)
    ? project.pull_requests_etag.slice(digest.length + 1)
    : null;
  const answer = await client.listOpenPullRequests({ etag });
  if (answer.kind === 'unchanged') return;
  const open = new Map(answer.pullRequests.map((pullRequest) => [pullRequest.number, pullRequest]));
  const isAllDone = await reconcileEach(jobs, {
    log,
    signal,
    timeUp: signal,
    about: ({ job_id: jobId }) => ({ projectId: project.project_id, jobId }),
    reconcile: (job, until) => reconcileJob(parts, { project, job, client, open, signal: until }),
  });
  // With this entity tag, the next round would skip the remaining jobs if the list is unchanged.
  if (!isAllDone) return;
  await storePullRequestsEtag(database, project.project_id, answer.etag && `${digest} ${answer.etag}`);
}

/** An entity tag is valid only for these jobs: a pull request opened and closed between two rounds leaves the list unchanged. */
function digestJobs(jobs: readonly Job[]): string {
  const facts = jobs.map((job) => [job.job_id, job.status === 'archived', job.base, job.pull_request_updated_at]);
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url');
}

async function reconcileJob(
  parts: DeliveryParts,
  options: {
    project: Project;
    job: Job;
    client: RepositoryClient;
    open: Map<number, PullRequest>;
    signal: AbortSignal;
  },
): Promise<void> {
  const { project, job, client, open, signal } = options;
  const number = job.pull_request_number;
  if (number === null) return;
  if (job.status === 'archived' && !open.has(number)) return;
  const pullRequest = open.get(number) ?? (await client.fetchPullRequest(number));
  // The installation's token also reads another repository that has taken this one's name.
  if (pullRequest?.headRepositoryId !== project.repository_id) return;
  if (job.status !== 'archived' && pullRequest.state === 'open' && pullRequest.base === job.base) return;
  const state = await readPullRequestState(parts, project, pullRequest, signal);
  await inTransaction(parts, (store) => applyPullRequest(store, job, state));
}
