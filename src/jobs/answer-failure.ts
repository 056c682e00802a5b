import { intendAnswer } from '../effects/intend-answer.ts';
import { writeRunAnswers } from '../effects/run-answers.ts';
import type { StoreTx } from '../store/store.ts';
import type { Job } from '../store/tables/jobs/jobs.ts';
import { listMessagesOfRun, type Message } from '../store/tables/jobs/messages.ts';
import type { Run } from '../store/tables/jobs/runs.ts';

/**
 * Answers the run's messages on the pull request with why it failed. Call it in the transaction that ends the run, with the job locked and the run
 * as it is now.
 */
export async function answerFailure(store: StoreTx, job: Job, run: Run, sentence: string): Promise<void> {
  if (job.pull_request_number === null) return;
  const { run_id: runId, commit_sha: sha } = run;
  // A stop has answered those that it dropped while the run was publishing.
  const isOpen = ({ reason }: Message) => reason !== stoppedWhilePublishing.reason;
  const messages = (await listMessagesOfRun(store.tx, runId)).filter(isOpen);
  const { pull_request_url: url } = job;
  const commitUrl = sha && url ? `${url}/commits/${sha}` : undefined;
  await intendAnswers(store, job, { runId, key: runId, messages, summary: sentence, commitUrl });
}

/** Answers the messages that one stop dropped behind a publishing run. */
export async function answerDropped(
  store: StoreTx,
  job: Job,
  { run_id: runId }: Run,
  messages: readonly Message[],
): Promise<void> {
  const last = messages.at(-1);
  if (last === undefined) return;
  const key = `${runId}:stopped:${last.message_id}`;
  await intendAnswers(store, job, {
    runId,
    key,
    messages,
    summary: stoppedWhilePublishing.sentence,
    commitUrl: undefined,
  });
}

export const stoppedWhilePublishing = {
  reason: 'cancelled_while_publishing',
  sentence:
    'Stopped on request. Pagewright finishes publishing the current changes, and drops every other instruction written before the stop.',
};

interface Report {
  runId: string;
  /** What the keys of the answers begin with. */
  key: string;
  messages: readonly Message[];
  summary: string;
  commitUrl: string | undefined;
}

async function intendAnswers(store: StoreTx, job: Job, { runId, key, ...report }: Report): Promise<void> {
  const { job_id: jobId, pull_request_number: pullRequest } = job;
  if (pullRequest === null) return;
  const failure = {
    ...report,
    runId: key,
    pullRequest,
    end: { outcome: 'failed' },
    context: contextOf(job),
  } as const;
  for (const answer of writeRunAnswers(failure)) await intendAnswer(store, { jobId, runId, ...answer });
}

/** Our own sentences link to nothing but GitHub. */
export const contextOf = ({ pull_request_url: url }: Job) => ({
  repository: url?.replace(/\/pull\/\d+$/, '') ?? 'https://github.com',
  allowedHosts: [],
});
