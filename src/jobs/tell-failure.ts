import { intendAnswer } from '../answers/intend-answer.ts';
import { writeRunAnswers } from '../answers/run-answers.ts';
import { lockJob } from '../store/jobs.ts';
import { listMessagesOfRun, type Message } from '../store/messages.ts';
import type { Run } from '../store/runs.ts';
import type { StoreTx } from '../store/store.ts';

/**
 * Promises the people at the run's pull request, where there is one, the sentence why it ended without what they asked for. In the
 * transaction that ends the run, however it came to that: no run there ends unheard.
 */
export async function tellFailure(store: StoreTx, run: Run, sentence: string): Promise<void> {
  await tell(store, run, { name: run.run_id, messages: await listMessagesOfRun(store.tx, run.run_id), sentence });
}

/** The same for what waited behind a run that publishes, when it is stopped: the run's own answers are about what it did. */
export async function tellDropped(store: StoreTx, run: Run): Promise<void> {
  const messages = (await listMessagesOfRun(store.tx, run.run_id)).filter(({ state }) => state === 'dropped');
  const sentence =
    'Stopped on request: what is being published right now is finished first, and nothing else is started.';
  await tell(store, run, { name: `${run.run_id}:stopped`, messages, sentence });
}

async function tell(
  store: StoreTx,
  { job_id: jobId, run_id: runId }: Run,
  { name, messages, sentence }: { name: string; messages: Message[]; sentence: string },
): Promise<void> {
  const pullRequest = (await lockJob(store.tx, jobId))?.pull_request_number ?? null;
  if (pullRequest === null) return;
  const report = { runId: name, pullRequest, messages, summary: sentence, isFailure: true };
  for (const answer of writeRunAnswers(report)) await intendAnswer(store, { jobId, runId, ...answer });
}
