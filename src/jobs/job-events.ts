import { type Announcement, announce } from '../outbound/announce.ts';
import { sendTogether, type Tx } from '../store/postgres/database.ts';
import type { StoreTx } from '../store/store.ts';
import type { OccasionSubject } from '../store/tables/columns.ts';
import type { NewEvent } from '../store/tables/jobs/event-data.ts';
import { recordEvents, toldReason } from '../store/tables/jobs/events.ts';
import type { Job } from '../store/tables/jobs/jobs.ts';
import type { MessageContent } from '../store/tables/jobs/messages.ts';
import { insertRun, markRunEnded, type Run, type RunEnd } from '../store/tables/jobs/runs.ts';
import { countUsage } from '../store/tables/usage.ts';
import { bound } from '../text/bound.ts';
import { readRunAnswer } from './shown-publication.ts';

const maxTextLength = 4_000;

export const describeCreated = ({ base, model, draft }: { base: string; model: string; draft: boolean }): NewEvent => ({
  type: 'job.created',
  data: { ref: base, model, draft },
});

export const describeAccepted = ({ messageId, source, author, prompt }: AcceptedMessage): NewEvent => ({
  type: 'message.accepted',
  data: { messageId, source, author, text: bound(prompt, maxTextLength) },
});

type AcceptedMessage = MessageContent & { messageId: string };

/** For a message of an automation: its author is the automation's name. */
export const describeStarted = ({ messageId, author: name, context }: AcceptedMessage): NewEvent[] =>
  context?.occasions
    ? [{ type: 'automation.started', data: { messageId, name, occasions: context.occasions.map(nameOccasion) } }]
    : [];

export async function startRun(tx: Tx, jobId: string): Promise<Run> {
  const run = await insertRun(tx, jobId);
  await recordEvents(tx, jobId, [{ type: 'run.started', data: { runId: run.run_id, number: run.number } }]);
  return run;
}

/** Tells once why a run waits, however often it is tried again. */
export async function tellWaiting(tx: Tx, { run_id: runId, job_id: jobId }: Run, cause: string): Promise<void> {
  const reason = bound(cause, maxTextLength);
  const told = await tx
    .selectFrom('runs')
    .select(toldReason.as('reason'))
    .where('run_id', '=', runId)
    .executeTakeFirst();
  if (told?.reason === reason) return;
  await recordEvents(tx, jobId, [{ type: 'run.waiting', data: { runId, reason } }]);
}

/** Ends the run, counts what it used, and records it. Call it with the job as it will be, locked. `more`: what else to announce, first. Returns the run as it ended. */
export async function closeRun(
  store: StoreTx,
  job: Job,
  runId: string,
  end: RunEnd,
  more: readonly Announcement[] = [],
): Promise<Run> {
  const [run] = await sendTogether(store.tx, (tx) => [markRunEnded(tx, runId, end), countUsage(tx, runId)]);
  await sendTogether(store.tx, (tx) => [
    recordEvents(tx, job.job_id, [describeRunEnd(run, end), ...describeJobEnd(job, runId, end)]),
    announce({ ...store, tx }, job, [...more, ...announceStatus(job, runId)]),
  ]);
  return run;
}

/** The job has no live run. */
export async function recordArchived(store: StoreTx, job: Job, lastRunId: string | null): Promise<void> {
  await recordEvents(store.tx, job.job_id, [describeArchived(job)]);
  await announce(store, job, announceStatus(job, lastRunId));
}

const announceStatus = ({ status }: Job, runId: string | null) =>
  status === 'active' ? [] : [{ type: `job.${status}` as const, runId }];

const boundAnswer = (answer: string | null) => answer && bound(answer, maxTextLength);

const describeRunEnd = (run: Run, { outcome, code, sentence }: RunEnd): NewEvent => ({
  type: 'run.ended',
  data: {
    runId: run.run_id,
    number: run.number,
    outcome,
    code,
    sentence,
    summary: boundAnswer(readRunAnswer(run)),
    commit: run.commit_sha,
    tokensIn: run.tokens_in,
    tokensCached: run.tokens_cached,
    tokensOut: run.tokens_out,
  },
});

function describeJobEnd(job: Job, runId: string, { code, sentence }: RunEnd): NewEvent[] {
  switch (job.status) {
    case 'active':
      return [];
    case 'completed':
      return [{ type: 'job.completed', data: { runId } }];
    case 'failed':
      return [{ type: 'job.failed', data: { runId, code, sentence } }];
    case 'archived':
      return [describeArchived(job)];
  }
}

const describeArchived = ({ archive_reason: reason }: Job): NewEvent => ({
  type: 'job.archived',
  data: { reason: reason ?? 'requested' },
});

/** For people: `acme/api#12`, `acme/api v1.2`, or when its schedule came. */
export function nameOccasion({ kind, repository, number, title = '' }: OccasionSubject): string {
  switch (kind) {
    case 'pull_request':
    case 'issue':
      return `${repository ?? 'a private repository'}#${number ?? '?'}`;
    case 'release':
      return `${repository ?? 'a private repository'} ${title}`.trim();
    case 'time':
    case 'request':
      return title;
  }
}
