import type { Permissions } from '../../github/auth/permissions.ts';
import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import { askIfGranted, GitHubRefusal } from '../../github/refusals/github-refusal.ts';
import { findWait } from '../../projects/find-wait.ts';
import { readStoredSettings } from '../../repository/settings.ts';
import type { Store, StoreTx } from '../../store/store.ts';
import { findJobById, type Job } from '../../store/tables/jobs/jobs.ts';
import { findLastPush } from '../../store/tables/jobs/runs.ts';
import {
  type HeadChecks,
  listDueLooks,
  makeLookDue,
  readDueLook,
  storeCheckState,
  storeLook,
} from '../../store/tables/jobs/verdicts.ts';
import { findProject, type Project } from '../../store/tables/repositories/projects.ts';
import { storable } from '../../text/storable.ts';
import type { CheckParts } from '../check-parts.ts';
import { type FailingCheck, type JudgedChecks, judgeChecks, leaveOutOld } from './judge-checks.ts';
import { readReport } from './read-report.ts';
import { reportFailing } from './report-failing.ts';

/** A webhook told of a check of a commit that a job pushed: GitHub is asked soon, once for many webhooks. */
export async function noteCheck(
  { tx, queue }: StoreTx,
  { jobId, sha, afterMs }: { jobId: string; sha: string; afterMs: number },
): Promise<void> {
  if (await makeLookDue(tx, { jobId, sha, afterMs })) await queue.send(tx, 'look', { jobId }, { delayMs: afterMs });
}

const atOnce = 1_000;

/** Queues the jobs whose look is due: they waited, or their entry was lost. */
export async function sendDueLooks({ database, queue }: Store, signal: AbortSignal): Promise<void> {
  for (const jobId of await listDueLooks({ database, queue }, atOnce)) {
    signal.throwIfAborted();
    await queue.send(database, 'look', { jobId });
  }
}

/** Asks GitHub about the checks of a job's head, if that is due. Idempotent. While GitHub cannot be asked, it is due later. */
export async function lookAtChecks(parts: CheckParts, jobId: string, signal: AbortSignal): Promise<Date | undefined> {
  const { database, log } = parts;
  const looked = await readDueLook(database, jobId);
  if (!looked) return undefined;
  try {
    const found = await findHead(parts, looked);
    const next = found ? await look(parts, { ...found, looked }, signal) : settled;
    await storeLook(database, looked, next);
    return next.afterMs === null ? undefined : new Date(Date.now() + next.afterMs);
  } catch (error) {
    const until = findWait(error, { ageMs: looked.ageMs });
    // A refusal does not pass by itself: the next webhook asks again.
    if (!until && !(error instanceof GitHubRefusal)) throw error;
    log.warn({ err: error, jobId, until }, 'could not ask GitHub about checks');
    const afterMs = until ? until.getTime() - Date.now() : null;
    await storeLook(database, looked, { afterMs, hasFailed: looked.failed_at !== null });
    return until;
  }
}

const mostNamed = 20;
const maxUrlLength = 2_000;

const nameCheck = ({ name, url }: FailingCheck) => ({
  name,
  url: url === null || url.length > maxUrlLength ? null : storable(url),
});

type Looked = NonNullable<Awaited<ReturnType<typeof readDueLook>>>;
interface Next {
  /** null: nothing is open. */
  afterMs: number | null;
  hasFailed: boolean;
}

const settled: Next = { afterMs: null, hasFailed: false };

interface Head {
  project: Project;
  job: Job;
  number: number;
}

/** Undefined: nobody wants to know any more. */
async function findHead({ database }: Store, { job_id: jobId, sha }: HeadChecks): Promise<Head | undefined> {
  const job = await findJobById(database, jobId);
  const project = job && (await findProject(database, job.project_id));
  if (!job || !project || project.removed_at || job.status === 'archived' || job.pull_request_number === null)
    return undefined;
  if (readStoredSettings(project.settings).fix_checks === 0) return undefined;
  return (await findLastPush(database, jobId)) === sha ? { project, job, number: job.pull_request_number } : undefined;
}

async function look(
  parts: CheckParts,
  { project, job, number, looked }: Head & { looked: Looked },
  signal: AbortSignal,
): Promise<Next> {
  const { timing, openProject } = parts;
  const { sha } = looked;
  const open = (permissions: Permissions) => openProject(project, permissions, signal);
  await using access =
    (await askIfGranted(() => open({ checks: 'read', pull_requests: 'read' }))) ??
    (await open({ pull_requests: 'read' }));
  const ask = (ref: string) => judgeCommit(parts, { project, client: access.client, ref }, signal);
  const head = await ask(sha);
  await storeCheckState(parts.database, looked, {
    state: head.state,
    failing: head.failing.slice(0, mostNamed).map(nameCheck),
  });
  const wait = findWaitForRest(head, looked, timing);
  if (wait) return wait;
  if (head.failing.length === 0) return settled;
  const pullRequest = await access.client.fetchPullRequest(number);
  if (pullRequest?.state !== 'open' || pullRequest.headSha !== sha) return settled;
  const base = await ask(`heads/${pullRequest.base}`);
  const failing = leaveOutOld(head, base);
  if (failing.length === 0) return { afterMs: null, hasFailed: true };
  // It may fail there, too.
  const isUnclear = failing.some(({ key }) => base.pending.has(key));
  if (isUnclear && (looked.failedMs ?? 0) < timing.checks.patienceMs)
    return { afterMs: timing.checks.askBaseMs, hasFailed: true };
  const read = () => readReport(parts, { project, failing, client: access.client }, signal);
  await reportFailing(parts, { project, job, sha, failing, readReport: read });
  return { afterMs: null, hasFailed: true };
}

/** Undefined: it can be judged now. A webhook about what is pending may be lost, so GitHub is asked now and then, for a day. */
function findWaitForRest(
  { isPending, failing }: JudgedChecks,
  { failedMs, ageMs }: Looked,
  { checks }: CheckParts['timing'],
): Next | undefined {
  if (!isPending) return undefined;
  const hasFailed = failing.length > 0;
  if (hasFailed) {
    const afterMs = checks.patienceMs - (failedMs ?? 0);
    return afterMs > 0 ? { afterMs, hasFailed } : undefined;
  }
  return { afterMs: ageMs > checks.longestMs ? null : Math.max(checks.askAgainMs, ageMs), hasFailed };
}

/** An installation may grant one of checks and statuses. */
async function judgeCommit(
  { openProject, github }: CheckParts,
  { project, client, ref }: { project: Project; client: RepositoryClient; ref: string },
  signal: AbortSignal,
): Promise<JudgedChecks> {
  const runs = await askIfGranted(() => client.listCheckRuns(ref));
  const statuses = await askIfGranted(async () => {
    await using access = await openProject(project, { statuses: 'read' }, signal);
    return await access.client.listStatuses(ref);
  });
  const { appId } = await github.fetchApp(signal);
  const found = { runs: runs ?? [], statuses: statuses ?? [] };
  const judged = judgeChecks(found, { appId });
  const { unclearOn } = judged;
  if (unclearOn === undefined) return judged;
  const workflows = await askIfGranted(async () => {
    await using access = await openProject(project, { actions: 'read' }, signal);
    return await access.client.listWorkflowRuns(unclearOn);
  });
  return judgeChecks({ ...found, workflows }, { appId });
}
