import { listUnfinishedDeletions, type PlannedAnswer, planComment } from '../../effects/plan-answer.ts';
import { type ReportText, writeRunAnswers } from '../../effects/run-answers.ts';
import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import { listMessagesOfRun } from '../../store/tables/jobs/messages.ts';
import type { RunContext } from '../run-context.ts';
import { hideUnquotable, writeInThread } from './outgoing.ts';

/** Each answer is posted exactly once. A refusal, such as of a locked conversation, becomes a warning, because the work is done. */
export async function postAnswers(
  context: RunContext,
  client: RepositoryClient,
  { quotesApi, ...text }: ReportText & { quotesApi: boolean },
): Promise<void> {
  const { parts, lease, run, effects } = context;
  const { database, timing } = parts;
  const { jobId } = lease;
  const { run_id: runId, started_at: since } = run;
  const remove = (deletion: PlannedAnswer) => effects.performOptional(deletion);
  // The transaction that dropped a message has answered it.
  const messages = (await listMessagesOfRun(database, runId)).filter(({ state }) => state !== 'dropped');
  const report = { ...text, runId, messages: hideUnquotable(messages, { quotesApi }) };
  for (const { key, answer } of await writeInThread(context, answersTask, report)) {
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

const answersTask = { module: import.meta.resolve('../../effects/run-answers.ts'), work: writeRunAnswers };
