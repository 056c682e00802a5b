import { listUnfinishedDeletions, type PlannedAnswer, planComment } from '../../effects/comment.ts';
import { type ReportText, writeRunAnswers } from '../../effects/run-answers.ts';
import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import { listMessagesOfRun } from '../../store/tables/messages.ts';
import type { RunContext } from '../run-context.ts';

/** Each answer is posted exactly once. A refusal, such as of a locked conversation, becomes a warning, because the work is done. */
export async function postAnswers(
  { parts: { database, timing }, lease: { jobId }, run, effects }: RunContext,
  client: RepositoryClient,
  text: ReportText,
): Promise<void> {
  const { run_id: runId, started_at: since } = run;
  const remove = (deletion: PlannedAnswer) => effects.performOptional(deletion);
  // The transaction that dropped a message has answered it.
  const messages = (await listMessagesOfRun(database, runId)).filter(({ state }) => state !== 'dropped');
  for (const { key, answer } of writeRunAnswers({ ...text, runId, messages })) {
    const comment = planComment(client, { key, answer }, { since, remove });
    await effects.performOptional({
      ...comment,
      lagsMs: timing.github.replicationDelaysMs,
      async heal() {
        for (const deletion of await listUnfinishedDeletions(database, client, { jobId, key })) await remove(deletion);
        await comment.heal?.();
      },
    });
  }
}
