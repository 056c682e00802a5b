import { intendAnswer } from '../effects/intend-answer.ts';
import { writeRunAnswers } from '../effects/run-answers.ts';
import type { StoreTx } from '../store/store.ts';
import type { Job } from '../store/tables/jobs/jobs.ts';
import { listMessagesOfRun, type Message } from '../store/tables/jobs/messages.ts';
import { findRun, type Run } from '../store/tables/jobs/runs.ts';

/** Answers the run's messages on the pull request with why it failed. Call it in the transaction that ends the run, with the job locked. */
export async function answerFailure(store: StoreTx, job: Job, { run_id: runId }: Run, sentence: string): Promise<void> {
  const { pull_request_number: pullRequest, pull_request_url: url } = job;
  if (pullRequest === null) return;
  const run = await findRun(store.tx, runId);
  const messages = await listMessagesOfRun(store.tx, runId);
  const commitUrl = run?.commit_sha && url ? `${url}/commits/${run.commit_sha}` : undefined;
  const context = readContext(job);
  const report = { runId, pullRequest, messages, summary: sentence, commitUrl, isFailure: true, context };
  for (const answer of writeRunAnswers(report)) await intendAnswer(store, { jobId: job.job_id, runId, ...answer });
}

/** Answers the messages that one stop dropped behind a publishing run. */
export async function answerDropped(
  store: StoreTx,
  job: Job,
  { run_id: runId }: Run,
  messages: readonly Message[],
): Promise<void> {
  const { pull_request_number: pullRequest } = job;
  const last = messages.at(-1);
  if (pullRequest === null || last === undefined) return;
  const why = { summary: stoppedWhilePublishing, isFailure: true, context: readContext(job) };
  const report = { runId: `${runId}:stopped:${last.message_id}`, pullRequest, messages, ...why };
  for (const answer of writeRunAnswers(report)) await intendAnswer(store, { jobId: job.job_id, runId, ...answer });
}

export const stoppedWhilePublishing =
  'Stopped on request. Pagewright still finishes publishing the current changes, and drops all other earlier instructions.';

/** Our own sentences link to nothing but GitHub. */
const readContext = ({ pull_request_url: url }: Job) => ({
  repository: url?.replace(/\/pull\/\d+$/, '') ?? 'https://github.com',
  allowedHosts: [],
});
