import { addMessage } from '../../jobs/add-message.ts';
import { cancelJob } from '../../jobs/cancel-job.ts';
import type { ProjectLimits } from '../../jobs/count-against-limits.ts';
import { createJob } from '../../jobs/create-job.ts';
import { type JobRow, listJobRows, nameJob } from '../../jobs/list-job-rows.ts';
import { pause } from '../../pause.ts';
import type { Database } from '../../store/postgres/database.ts';
import type { Store } from '../../store/store.ts';
import { type JobStatus, jobStatuses } from '../../store/tables/columns.ts';
import { listEvents } from '../../store/tables/jobs/events.ts';
import { findJob } from '../../store/tables/jobs/jobs.ts';
import { writeMinute } from '../../text/write-minute.ts';
import { openCommandStore, requireKnownProject } from '../open-command-store.ts';
import type { CommandOptions, Outcome } from '../run-command.ts';
import { formatEvent, withoutControls } from './format-event.ts';
import type { JobsCommand } from './jobs-command.ts';

const lookEveryMs = 300;
const eventsAtOnce = 500;

interface JobsParts {
  database: Database;
  /** Call it once, and only to send. */
  openStore: () => Promise<Store>;
  models: readonly [string, ...string[]];
  limits: ProjectLimits;
  print: (line: string) => void;
  signal: AbortSignal;
}

/** Runs the command and returns the exit status. Throws an error whose message is one line for the operator. */
async function runJobsCommand(command: JobsCommand, parts: JobsParts): Promise<0 | 1> {
  const { database, print } = parts;
  const { owner, repo, isDetached } = command;
  const projectId = await requireKnownProject(database, command);
  if (command.kind === 'list') {
    const { isJson, statuses, limit } = command;
    const { rows } = await listJobRows(database, { projectId, statuses, limit });
    for (const row of rows) print(isJson ? JSON.stringify(toListed(row)) : formatListed(toListed(row)));
    return 0;
  }
  if (command.kind === 'create') {
    const jobId = await create(command, projectId, parts);
    if (isDetached) printJobId(command, jobId, print);
    else if (!command.isJson) print(jobId);
    return isDetached ? 0 : follow(command, jobId, 0, parts);
  }
  const { jobId } = command;
  if (!(await findJob(database, { projectId, jobId }))) throw new Error(`${owner}/${repo} has no job ${jobId}`);
  if (command.kind === 'watch') return follow(command, jobId, 0, parts);
  if (command.kind === 'cancel') {
    const { status } = await cancelJob(await parts.openStore(), jobId);
    const line = status === 'active' ? `${jobId} will stop` : `${jobId} is ${status}`;
    print(command.isJson ? JSON.stringify({ jobId, status }) : line);
    return 0;
  }
  const before = await findLastSeq(parts, jobId);
  const { author, prompt } = command;
  const request = { projectId, jobId, source: 'api', author, prompt, ...parts.limits } as const;
  const result = await addMessage(await parts.openStore(), request);
  if (result.kind !== 'accepted') throw refused(result.kind);
  if (isDetached) printJobId(command, jobId, print);
  return isDetached ? 0 : follow(command, jobId, before, parts);
}

const toListed = ({ job, first }: JobRow) => ({
  jobId: job.job_id,
  status: job.status,
  createdAt: job.created_at,
  name: nameJob({ job, first }),
  branch: job.branch,
  pullRequest: job.pull_request_url,
});

const longestStatus = Math.max(...jobStatuses.map(({ length }) => length));

function formatListed({ jobId, status, createdAt, name, pullRequest }: ReturnType<typeof toListed>): string {
  const parts = [jobId, status.padEnd(longestStatus), writeMinute(createdAt), withoutControls(name), pullRequest];
  return parts.filter((part) => part !== null).join('  ');
}

const printJobId = ({ isJson }: JobsCommand, jobId: string, print: JobsParts['print']) =>
  print(isJson ? JSON.stringify({ jobId }) : jobId);

async function create(
  { prompt, author, ref, model, draft }: Extract<JobsCommand, { kind: 'create' }>,
  projectId: string,
  { openStore, models, limits }: JobsParts,
): Promise<string> {
  if (model !== null && !models.includes(model)) throw new Error(`--model must be one of: ${models.join(', ')}`);
  const result = await createJob(await openStore(), {
    projectId,
    source: 'api',
    prompt,
    author,
    base: ref,
    model,
    models,
    draft,
    ...limits,
  });
  if (result.kind !== 'accepted') throw refused(result.kind);
  return result.job.job_id;
}

const refusals: Record<string, string> = {
  archived: 'the job is archived: unarchive it, or create a new one',
  project_gone: 'Pagewright can no longer access the repository: install the App on it again',
  too_many_waiting: 'too many messages are waiting in this job: try again later',
  budget_exhausted: 'the project has used up its tokens of this month: raise BUDGET_TOKENS_PER_MONTH',
};
const refused = (kind: string) => new Error(refusals[kind] ?? kind);

async function findLastSeq({ database }: JobsParts, jobId: string): Promise<number> {
  for (let after = 0; ; ) {
    const events = await listEvents(database, { jobId, after, limit: eventsAtOnce });
    if (events.length === 0) return after;
    after = events.at(-1)?.seq ?? after;
  }
}

/** Prints the events after this one until the job is no longer active. */
async function follow(
  { isJson }: JobsCommand,
  jobId: string,
  from: number,
  { database, print, signal }: JobsParts,
): Promise<0 | 1> {
  let status: JobStatus = 'active';
  for (let after = from; ; ) {
    const events = await listEvents(database, { jobId, after, limit: eventsAtOnce });
    for (const event of events) {
      const { seq, type, at, data } = event;
      const line = isJson ? JSON.stringify({ seq, type, at, data }) : formatEvent(event);
      if (line !== undefined) print(line);
      status = findStatus(event) ?? status;
      after = seq;
    }
    if (events.length > 0) continue;
    if (status !== 'active') return status === 'completed' ? 0 : 1;
    await pause(lookEveryMs, signal);
  }
}

/** The status after an event. A merge is how a completed job ends. */
function findStatus({ type, data }: { type: string; data: object }): JobStatus | undefined {
  const isMerge = type === 'job.archived' && 'reason' in data && data.reason === 'merged';
  return isMerge ? 'completed' : statusAfter[type];
}

const statusAfter: Record<string, JobStatus> = {
  'message.accepted': 'active',
  'run.started': 'active',
  'job.completed': 'completed',
  'job.failed': 'failed',
  'job.archived': 'archived',
  'job.unarchived': 'completed',
};

/** Runs the command on the database of the environment. Prints as it goes. */
export async function jobs(command: JobsCommand, { signal }: CommandOptions): Promise<Outcome> {
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  await using cleanup = new AsyncDisposableStack();
  const { config, database, openStore } = await openCommandStore(signal, cleanup);
  const limits = { ...config.projectLimits, rateLimit: 0 };
  const parts = { database, openStore, models: config.openai.models, limits, print, signal };
  return { text: '', hasFailed: (await runJobsCommand(command, parts)) === 1 };
}
