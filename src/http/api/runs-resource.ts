import { z } from 'zod';
import type { Database } from '../../store/postgres/database.ts';
import { type Effect, effectKind, listEffects } from '../../store/tables/effects.ts';
import { listMessages, type Message } from '../../store/tables/messages.ts';
import { listRuns } from '../../store/tables/runs.ts';
import type { AskerResource, EffectResource, MessageResource, RunsResource } from './resource-schemas.ts';

/** What is shown of a frozen publication; the rest of it shows in the effects. */
const publicationShape = z.object({ summary: z.string() }).nullable();

/** Everything that happened in a job, as it was at one moment. */
export async function readRunsResource(database: Database, jobId: string): Promise<RunsResource> {
  const snapshot = database.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return snapshot.execute(async (tx) => {
    const runs = await listRuns(tx, jobId);
    const messages = await listMessages(tx, jobId);
    const effects = await listEffects(tx, jobId);
    const toResource = (effect: Effect) => toEffectResource(effect, listAskers(effect, messages));
    const withoutRun = messages.filter((message) => message.run_id === null);
    return {
      runs: runs.map((run) => ({
        id: run.run_id,
        number: run.number,
        status: run.phase,
        outcome: run.outcome,
        code: run.code,
        sentence: run.sentence,
        summary: publicationShape.parse(run.publication)?.summary ?? null,
        startedAt: run.started_at.toISOString(),
        finishedAt: run.ended_at?.toISOString() ?? null,
        turns: run.turns,
        tokensIn: run.tokens_in,
        tokensOut: run.tokens_out,
        commit: run.commit_sha,
        messages: messages.filter((message) => message.run_id === run.run_id).map(toMessageResource),
        effects: effects.filter((effect) => effect.run_id === run.run_id).map(toResource),
        warnings: run.warnings,
      })),
      waiting: withoutRun.filter(({ state }) => state === 'waiting').map(toMessageResource),
      dropped: withoutRun.filter(({ state }) => state === 'dropped').map(toMessageResource),
      effects: effects.filter(({ run_id }) => run_id === null).map(toResource),
    };
  });
}

const toMessageResource = (message: Message): MessageResource => ({
  id: message.message_id,
  source: message.source,
  author: message.author,
  prompt: message.prompt,
  state: message.state,
  reason: message.reason,
  deliveryId: message.delivery_id,
  createdAt: message.created_at.toISOString(),
});

/** Who asked for an effect: the message that it answers; else the author of what is no message; else all messages of its run. */
function listAskers({ message_id, run_id, asker }: Effect, messages: readonly Message[]): AskerResource[] {
  if (message_id === null && asker !== null) return [{ messageId: null, ...asker }];
  const own = messages.filter((message) => message.message_id === message_id);
  const asked = message_id === null ? messages.filter((message) => run_id !== null && message.run_id === run_id) : own;
  return asked.map((message) => ({
    messageId: message.message_id,
    author: message.author,
    source: message.source,
    deliveryId: message.delivery_id,
  }));
}

const refusalShape = z.object({ refused: z.string() });

const toEffectResource = (effect: Effect, askedBy: AskerResource[]): EffectResource => ({
  key: effect.key,
  kind: effectKind(effect),
  state: effect.state,
  refusal: effect.state === 'refused' ? refusalShape.parse(effect.response).refused : null,
  askedBy,
  leaseEpoch: effect.epoch,
  tries: effect.tries,
  externalId: effect.external_id,
  request: effect.request,
  response: effect.response,
  intendedAt: effect.intended_at.toISOString(),
  doneAt: effect.done_at?.toISOString() ?? null,
});
