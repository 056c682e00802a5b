import { isRefusal } from '../github/refusals/read-refusal.ts';
import type { Log } from '../log.ts';
import { findNextTry } from '../projects/find-wait.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { type TakeStep, takeStepDirectly } from '../steps.ts';
import type { Database } from '../store/postgres/database.ts';
import { listUnqueuedAnswers } from '../store/schedule/unqueued.ts';
import type { Store } from '../store/store.ts';
import {
  countEffectTry,
  type Effect,
  type EffectKey,
  findQueuePosition,
  intendEffect,
  listEffects,
  markEffectRefused,
  queueEpoch,
} from '../store/tables/jobs/effects.ts';
import { findProjectByRepository, findProjectOfJob, type Project } from '../store/tables/repositories/projects.ts';
import type { Timing } from '../timing.ts';
import { type Answer, answerSchema, previewKey } from './answer.ts';
import { type EffectExecutor, type Performed, performEffect, performIntended } from './perform-effect.ts';
import { type PlannedAnswer, planAnswer } from './plan-answer.ts';

export interface AnswerParts {
  database: Database;
  openProject: OpenProject;
  timing: Timing;
  takeStep: TakeStep;
  log: Log;
}

/** Posts a promised answer. Idempotent. Returns when to try again while GitHub is down or limits writes. Throws errors for the queue to retry. */
export async function giveAnswer(parts: AnswerParts, entry: EffectKey, signal: AbortSignal): Promise<Date | undefined> {
  const { database, openProject, takeStep, log } = parts;
  const ofJob = await findProjectOfJob(database, entry.jobId);
  const effect = await countEffectTry(database, entry);
  if (!effect || !ofJob) return undefined;
  const answer = await readAnswer(database, effect);
  const issueOf = 'issueOf' in answer ? answer.issueOf : undefined;
  const project = (issueOf === undefined ? undefined : await findProjectByRepository(database, issueOf)) ?? ofJob;
  if (project.removed_at) {
    await markEffectRefused(database, { ...entry, reason: 'The App can no longer reach the repository.' });
    return undefined;
  }
  // A deletion is part of the step `give answer`.
  const deletions = createQueueExecutor({ database, takeStep: takeStepDirectly, signal }, effect);
  const remove = async (deletion: PlannedAnswer) =>
    logRefusal(log, { ...entry, key: deletion.key }, await performEffect(deletions, deletion));
  try {
    await using access = await openProject(project, permissionsFor(answer), signal);
    const executor = createQueueExecutor({ database, takeStep, signal }, effect);
    const planned = planAnswer(access.client, { key: effect.key, answer }, { since: effect.intended_at, remove });
    logRefusal(log, entry, await performIntended(executor, { effect, isNew: false }, planned));
    return undefined;
  } catch (error) {
    if (!isRefusal(error)) return await findTurn(parts, { entry, project, error });
    // The installation does not grant the permission.
    logRefusal(log, entry, { kind: 'refused', refusal: error });
    await markEffectRefused(database, { ...entry, reason: error.message });
    return undefined;
  }
}

/** Deployments may succeed at the same moment: whichever is written last, the section shows the newest. */
async function readAnswer(database: Database, { job_id: jobId, request }: Effect): Promise<Answer> {
  const answer = answerSchema.parse(request);
  if (answer.kind !== 'preview') return answer;
  const newest = (await listEffects(database, jobId)).findLast(({ key }) => key.startsWith(previewKey));
  return newest ? answerSchema.parse(newest.request) : answer;
}

function logRefusal(log: Log, entry: EffectKey, performed: Performed<unknown>): void {
  if (performed.kind === 'refused') log.warn({ err: performed.refusal, ...entry }, 'an effect was refused');
}

/** Reactions in the conversation belong to issues, also on a pull request. */
const permissionsFor = (answer: Answer) =>
  (answer.kind === 'reaction' && answer.on !== 'review_comment') ||
  ('issueOf' in answer && answer.issueOf !== undefined)
    ? ({ issues: 'write' } as const)
    : ({ pull_requests: 'write', ...(answer.kind === 'retarget' && { contents: 'write' as const }) } as const);

/** Answers return one by one, in the order of their promises: all at once would exceed the limit again. Undefined: done, or given up. */
async function findTurn(
  { database, timing, log }: AnswerParts,
  { entry, project, error }: { entry: EffectKey; project: Project; error: unknown },
): Promise<Date | undefined> {
  const place = await findQueuePosition(database, entry, project.installation_id);
  const next = findNextTry(error, { entry, ageMs: place?.ageMs ?? 0, log });
  if (!place) return undefined;
  if (next) return new Date(next.getTime() + place.ahead * timing.writes.everyMs);
  await giveUpAnswer({ database }, entry, tooOldReason);
  return undefined;
}

const tooOldReason = 'Pagewright could not post it for three days.';

export function giveUpAnswer(
  { database }: { database: Database },
  entry: EffectKey,
  reason = 'Pagewright could not post it in any of its tries.',
): Promise<void> {
  return markEffectRefused(database, { ...entry, reason });
}

/** Sends promised answers to the queue again if their entry was lost. Gives up on them after three days. */
export async function resendAnswers(
  { database, queue, log }: Store & { log: Log },
  signal: AbortSignal,
): Promise<void> {
  for (const { isTooOld, ...entry } of await listUnqueuedAnswers({ database, queue })) {
    signal.throwIfAborted();
    log.warn({ ...entry, isTooOld }, 'a promised answer had no entry in the queue');
    if (isTooOld) await giveUpAnswer({ database }, entry, tooOldReason);
    else await queue.send(database, 'answer', entry);
  }
}

/** Works without a lease: two processes may carry out the same effect at once, so each statement stands alone. */
function createQueueExecutor(
  { database, takeStep, signal }: { database: Database; takeStep: TakeStep; signal: AbortSignal },
  { job_id: jobId, run_id: runId, message_id: messageId }: Effect,
): EffectExecutor {
  const owner = { ...(runId && { runId }), ...(messageId && { messageId }) };
  return {
    jobId,
    signal,
    async intend({ key, request }) {
      const { effect } = await intendEffect(database, { jobId, ...owner, key, epoch: queueEpoch, request });
      return { effect: (await countEffectTry(database, { jobId, key })) ?? effect, isNew: false };
    },
    takeActStep: (kind, act) => takeStep({ step: 'give answer', jobId, effect: kind }, act),
    takeRecordStep: (_kind, record) => takeStep({ step: 'record given answer', jobId }, record),
    write: (work) => work(database),
    retriesAmbiguousWrites: false,
  };
}
