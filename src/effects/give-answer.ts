import { z } from 'zod';
import { Parked } from '../errors.ts';
import type { RepositoryClient } from '../github/calls/repository-client.ts';
import { isRefusal } from '../github/refusals/read-refusal.ts';
import type { Log } from '../log.ts';
import { findWait } from '../projects/find-wait.ts';
import type { OpenProject } from '../projects/open-project.ts';
import type { TakeStep } from '../steps.ts';
import type { AnswerEntry } from '../store/schedule/queue.ts';
import { tooOldMs } from '../store/schedule/unqueued.ts';
import type { Store } from '../store/store.ts';
import {
  countEffectTry,
  type Effect,
  findQueuePosition,
  intendEffect,
  markEffectDone,
  markEffectRefused,
  queueEpoch,
} from '../store/tables/effects.ts';
import { findProjectOfJob, type Project } from '../store/tables/projects.ts';
import { realTiming } from '../timing.ts';
import { type Answer, answerSchema, type Deletion, type KeyedAnswer } from './answer.ts';
import { carryOut, createCommentPoster } from './comment.ts';

export interface AnswerParts extends Pick<Store, 'database'> {
  openProject: OpenProject;
  takeStep: TakeStep;
  log: Log;
}

/**
 * Gives an answer that was promised. Idempotent: what a try before may have sent is looked for first. What GitHub refuses is recorded
 * with its reason, and not tried again. Returns a moment when GitHub wants to be left alone or is down, or has no slot for the write, until
 * then; throws what else may pass.
 */
export async function giveAnswer(
  parts: AnswerParts,
  entry: AnswerEntry,
  signal: AbortSignal,
): Promise<Date | undefined> {
  const { database, openProject, takeStep, log } = parts;
  const { jobId } = entry;
  const project = await findProjectOfJob(database, entry.jobId);
  const effect = await countEffectTry(database, entry);
  if (!effect || !project) return undefined;
  if (project.removed_at) {
    await markEffectRefused(database, { ...entry, reason: 'The App can no longer reach the repository.' });
    return undefined;
  }
  const answer = answerSchema.parse(effect.request);
  try {
    const permissions = permissionsFor(answer);
    await using access = await openProject(project, permissions, signal);
    const given = () => give(access.client, { database, log, answer, effect });
    const { externalId, response } = await takeStep({ step: 'give answer', jobId, effect: answer.kind }, given);
    await takeStep({ step: 'record given answer', jobId }, () =>
      markEffectDone(database, { ...entry, response, externalId }),
    );
  } catch (error) {
    if (!isRefusal(error)) return await comeAgain(parts, { entry, project, error });
    log.warn({ err: error, ...entry }, 'an effect was refused');
    await markEffectRefused(database, { ...entry, reason: error.message });
  }
  return undefined;
}

/**
 * When an answer that GitHub did not take for now comes again: one after the other in the order in which they were promised, where all
 * of them at once would only be turned away again. Undefined: nobody waits for it any more. Throws what is nothing of GitHub's.
 */
async function comeAgain(
  { database, log }: Pick<AnswerParts, 'database' | 'log'>,
  { entry, project, error }: { entry: AnswerEntry; project: Project; error: unknown },
): Promise<Date | undefined> {
  const place = await findQueuePosition(database, entry, project.installation_id);
  const until = findWait(error, { ageMs: place?.ageMs ?? 0 });
  if (!until) throw error;
  if (!place) return undefined;
  if (!(error instanceof Parked))
    log.warn({ err: error, ...entry }, 'could not process a queue entry; it will be retried');
  if (place.ageMs <= tooOldMs) return new Date(until.getTime() + place.ahead * realTiming.writes.everyMs);
  log.warn(entry, 'what waited for three days was given up');
  await giveUpAnswer({ database }, entry, tooOldReason);
  return undefined;
}

/** Reactions in the conversation are issues' to GitHub, whatever they are on. */
const permissionsFor = (answer: Answer) =>
  answer.kind === 'reaction' && answer.on === 'comment'
    ? ({ issues: 'write' } as const)
    : ({ pull_requests: 'write' } as const);

async function give(
  client: RepositoryClient,
  { database, log, answer, effect }: Pick<AnswerParts, 'database' | 'log'> & { answer: Answer; effect: Effect },
): Promise<{ externalId: string; response: object }> {
  if (answer.kind === 'reaction') {
    const reaction = await client.addReaction({ on: answer.on, commentId: answer.commentId, content: 'eyes' });
    return { externalId: z.coerce.string().parse(reaction?.reactionId ?? ''), response: reaction ?? { gone: true } };
  }
  if (answer.kind === 'deletion') {
    await carryOut(client, answer);
    return { externalId: String(answer.commentId), response: {} };
  }
  const speech = createCommentPoster(client, { key: effect.key, answer, since: effect.intended_at });
  const said = (await speech.find()) ?? (await speech.post());
  // Somebody else may have been at it, also since this try was counted.
  await speech.removeDoubles((deletion, remove) => recordDeletion({ database, log }, { deletion, effect, remove }));
  return { externalId: said.externalId, response: said };
}

/** One that a crash leaves intended is carried out like any other answer, once it is found forgotten. That one is refused changes nothing of the answer. */
async function recordDeletion(
  { database, log }: Pick<AnswerParts, 'database' | 'log'>,
  {
    deletion: { key, answer },
    effect: { job_id: jobId, run_id: runId, message_id: messageId },
    remove,
  }: { deletion: KeyedAnswer<Deletion>; effect: Effect; remove: () => Promise<void> },
): Promise<void> {
  const owner = { ...(runId && { runId }), ...(messageId && { messageId }) };
  await intendEffect(database, { jobId, ...owner, key, epoch: queueEpoch, request: answer });
  await countEffectTry(database, { jobId, key });
  try {
    await remove();
    await markEffectDone(database, { jobId, key, response: {}, externalId: String(answer.commentId) });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    log.warn({ err: error, jobId, key }, 'an effect was refused');
    await markEffectRefused(database, { jobId, key, reason: error.message });
  }
}

export const tooOldReason = 'It could not be given for three days.';

/** An answer that could not be given in all its retries is not given any more; the effect says so. */
export function giveUpAnswer(
  { database }: Pick<Store, 'database'>,
  entry: AnswerEntry,
  reason = 'It could not be given in all retries.',
): Promise<void> {
  return markEffectRefused(database, { ...entry, reason });
}
