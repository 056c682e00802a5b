import { listUnfinishedDeletions, type PlannedAnswer, planComment } from '../../effects/comment.ts';
import { type ReportText, writeRunAnswers } from '../../effects/run-answers.ts';
import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import { listMessagesOfRun } from '../../store/tables/messages.ts';
import type { RunContext } from '../run-context.ts';

/**
 * Posts the answers of a run that published: its comment, and a reply in each thread, each exactly once. A refusal, for example of a locked
 * conversation or a deleted thread, becomes a warning of the run, because the work is done.
 */
export async function postAnswers(
  { parts: { database, timing }, lease: { jobId }, run, effects }: RunContext,
  client: RepositoryClient,
  text: ReportText,
): Promise<void> {
  const { run_id: runId, started_at: since } = run;
  const remove = (deletion: PlannedAnswer) => effects.performOptional(deletion);
  // The story that drops a message while the run publishes answers it as well.
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
