import { z } from 'zod';
import { effectStates } from '../../../store/tables/columns.ts';
import { type Effect, effectKind } from '../../../store/tables/jobs/effects.ts';
import type { Message } from '../../../store/tables/jobs/messages.ts';
import { component, countSchema, text, timeSchema } from '../description/shared-schemas.ts';
import { messageFields } from '../jobs/job-resource.ts';

const askerSchema = z.object({
  messageId: z.string().nullable().describe('`null` if the comment or review did not become a message of the job.'),
  author: z.string(),
  source: messageFields.source,
  deliveryId: z.string().nullable().describe('The webhook delivery of the comment or review.'),
});

export const effectSchema = component('Effect', {
  key: text('Unique within the job.', 'run_01jd2x8e4vf3r9c5w7k6t0mzqa:push'),
  kind: text(
    '`push`, `branch`, `draft`, `pull-request`, `labels`, `reviewers`, `reviewer`, `authors`, `comment`, `reply`, `reaction`, `deletion`, `preview`, `retarget` or `close`.',
    'push',
  ),
  state: z.enum(effectStates),
  refusal: z.string().nullable().describe('Why GitHub refused it.'),
  askedBy: z.array(askerSchema).describe('Who requested it, oldest first.'),
  leaseEpoch: countSchema.describe('The epoch of the lease. `0` if it was done without a lease.'),
  tries: countSchema.describe('The number of attempts, by all processes.'),
  externalId: z.string().nullable().describe('GitHub’s id of the result.'),
  request: z.unknown().describe('The relevant part of the request to GitHub.'),
  response: z.unknown().describe('The relevant part of GitHub’s response.'),
  intendedAt: timeSchema,
  doneAt: timeSchema.nullable(),
});

/** Who requested an effect: its message, or the author of a comment that did not become a message, or all messages of its run. */
export function listAskers(
  { message_id, run_id, asker }: Effect,
  messages: readonly Message[],
): z.infer<typeof askerSchema>[] {
  if (message_id === null && asker !== null) return [{ messageId: null, ...asker }];
  const own = messages.filter((message) => message.message_id === message_id);
  const askers = message_id === null ? messages.filter((message) => run_id !== null && message.run_id === run_id) : own;
  return askers.map((message) => ({
    messageId: message.message_id,
    author: message.author,
    source: message.source,
    deliveryId: message.delivery_id,
  }));
}

const refusalShape = z.object({ refused: z.string() });

export const toEffectResource = (
  effect: Effect,
  askedBy: z.infer<typeof askerSchema>[],
): z.infer<typeof effectSchema> => ({
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
