import { intendAnswer } from '../effects/intend-answer.ts';
import { writeRunAnswers } from '../effects/run-answers.ts';
import type { StoreTx } from '../store/store.ts';
import { lockJob } from '../store/tables/jobs.ts';
import { listMessagesOfRun, type Message } from '../store/tables/messages.ts';
import { findRun, type Run } from '../store/tables/runs.ts';

/**
 * Promises the people at the run's pull request, where there is one, the sentence why it ended without what they asked for. In the
 * transaction that ends the run, however it came to that: no run there ends unheard.
 */
export async function tellFailure(
  store: StoreTx,
  { job_id: jobId, run_id: runId }: Run,
  sentence: string,
): Promise<void> {
  const run = await findRun(store.tx, runId);
  const messages = await listMessagesOfRun(store.tx, runId);
  await tell(store, { jobId, runId, name: runId, messages, sentence, commitSha: run?.commit_sha ?? null });
}

/** The same for what waited behind a run that publishes, when it is stopped: the run's own answers are about what it did. */
export async function tellDropped(store: StoreTx, { job_id: jobId, run_id: runId }: Run): Promise<void> {
  const messages = (await listMessagesOfRun(store.tx, runId)).filter(({ state }) => state === 'dropped');
  const sentence =
    'Stopped on request: what is being published right now is finished first, and nothing else that was asked for before is started.';
  await tell(store, { jobId, runId, name: `${runId}:stopped`, messages, sentence, commitSha: null });
}

async function tell(
  store: StoreTx,
  {
    jobId,
    runId,
    name,
    messages,
    sentence,
    commitSha,
  }: {
    jobId: string;
    runId: string;
    name: string;
    messages: Message[];
    sentence: string;
    /** What it had pushed before it ended. */
    commitSha: string | null;
  },
): Promise<void> {
  const { pull_request_number: pullRequest, pull_request_url: url } = await lockJob(store.tx, jobId);
  if (pullRequest === null) return;
  const commitUrl = commitSha && url ? `${url}/commits/${commitSha}` : undefined;
  const report = { runId: name, pullRequest, messages, summary: sentence, commitUrl, isFailure: true };
  for (const answer of writeRunAnswers(report)) await intendAnswer(store, { jobId, runId, ...answer });
}
