import { setTimeout as sleep } from 'node:timers/promises';
import { Parked, RunFailure } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Model, ModelAnswer, ModelRequest } from './model.ts';
import { createModelFailure, judgeModelFault } from './model-fault.ts';

/** One try of one request. Throws the SDK's errors, `BrokenAnswer`, `RunFailure`, or the signal's reason. */
export type AskModel = (request: ModelRequest, signal: AbortSignal) => Promise<ModelAnswer>;

/** A longer wait would hold the worker's slot for nothing: the run parks instead. */
const longestWaitMs = 60_000;
const longestBackoffMs = 16_000;
/** Whatever a server asks for, after a day we look again. */
const longestParkMs = 24 * 60 * 60 * 1000;

/**
 * The one place where requests to a model server are repeated. Passing faults are tried `attempts` times in all, waiting as long as
 * the server asks (up to a minute) or `backoffMs` doubled each time, with jitter; then `model_unavailable`. Final faults end at once.
 */
export function createRetryingModel({
  ask,
  model,
  attempts = 5,
  backoffMs = 1_000,
  log,
  now = Date.now,
  random = Math.random,
}: {
  ask: AskModel;
  model: string;
  attempts?: number;
  backoffMs?: number;
  log?: Pick<Log, 'warn'>;
  now?: () => number;
  random?: () => number;
}): Model {
  return {
    async respond(request, signal) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          signal.throwIfAborted();
          return await ask(request, signal);
        } catch (error) {
          signal.throwIfAborted();
          if (error instanceof RunFailure) {
            throw error;
          }
          const fault = judgeModelFault({ error, now: now() });
          if (fault === undefined) {
            throw new Error(`could not ask model ${model}`, { cause: error });
          }
          if (fault.kind === 'final') {
            throw createModelFailure({ code: fault.code, model, cause: error });
          }
          const { retryAfterMs = 0, detail } = fault;
          if (retryAfterMs > longestWaitMs) {
            throw new Parked(
              new Date(now() + Math.min(retryAfterMs, longestParkMs)),
              'the model server asked to wait',
              { cause: error },
            );
          }
          if (attempt >= attempts) {
            const sentence = `The model server did not give a usable answer in ${attempts} tries (${detail}): try again later.`;
            throw new RunFailure('model_unavailable', sentence, { cause: error });
          }
          const waitMs = Math.max(
            retryAfterMs,
            Math.min(backoffMs * 2 ** (attempt - 1), longestBackoffMs) * (0.5 + random() / 2),
          );
          log?.warn({ model, attempt, waitMs: Math.round(waitMs), detail }, 'model request failed, trying again');
          // The sleep fails only by the abort, and hides its reason in an error of its own.
          await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
        }
      }
    },
  };
}
