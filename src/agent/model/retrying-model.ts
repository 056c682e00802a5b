import { Parked } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { pause } from '../../pause.ts';
import { realTiming } from '../../timing.ts';
import { classifyFault, type ModelFault } from './classify-fault.ts';
import { ModelRefusal, ModelUnavailable } from './errors.ts';
import type { Model, ModelAnswer, ModelRequest } from './model.ts';
import { findNeeded } from './server-dialects.ts';
import { quoteServer } from './server-error.ts';

const longestParkMs = 24 * 3600_000;

const longestBackoffMs = 16_000;

/** Throws the SDK's errors, `BrokenAnswer`, `ModelRefusal`, or the signal's reason. */
export type AskModel = (request: ModelRequest, signal: AbortSignal) => Promise<ModelAnswer>;

/** The outcome of one attempt, for metrics. */
export interface ModelRequestReport {
  model: string;
  /** `answered`, the reason of a final fault (`model_quota` …), the name of a passing one, `aborted`, or `failed` (an internal error). */
  outcome: string;
  durationMs: number;
  usage: ModelAnswer['usage'] | null;
}

export interface Retrying {
  attempts?: number;
  backoffMs?: number;
  longestWaitMs?: number;
  longestTryingMs?: number;
  onRequest?: (report: ModelRequestReport) => void;
  log?: { warn: Log['warn'] };
}

/**
 * The only place that retries model requests. Waits as long as the server asks, or with exponential backoff and jitter, up to `attempts`,
 * `longestWaitMs` of waits in all, or `longestTryingMs`. Then throws `Parked` if the server asked for a wait, else `ModelUnavailable`.
 */
export function createRetryingModel({
  ask,
  model,
  redact = (text) => text,
  attempts = 5,
  backoffMs = realTiming.model.backoffMs,
  longestWaitMs = realTiming.model.longestWaitMs,
  longestTryingMs = realTiming.model.longestTryingMs,
  onRequest,
  log,
  now = Date.now,
}: {
  ask: AskModel;
  model: string;
  /** For the server's words, which may quote the key. */
  redact?: (text: string) => string;
  now?: () => number;
} & Retrying): Model {
  /** Returns the answer or a passing fault. Throws everything else. */
  async function tryOnce(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer | FailedAttempt> {
    const startedAt = performance.now();
    const report = (outcome: ModelRequestReport['outcome'], usage: ModelRequestReport['usage'] = null) =>
      onRequest?.({ model, outcome, durationMs: performance.now() - startedAt, usage });
    try {
      const answer = await ask(request, signal);
      report('answered', answer.usage);
      return answer;
    } catch (error) {
      if (signal.aborted) report('aborted');
      signal.throwIfAborted();
      const fault = error instanceof ModelRefusal ? undefined : classifyFault({ error, now: now() });
      report(error instanceof ModelRefusal ? error.reason : nameOf(fault));
      if (error instanceof ModelRefusal) throw error;
      if (fault === undefined) throw new Error(`could not ask model ${model}`, { cause: error });
      if (fault.kind === 'final') {
        const words = quoteServer(error, redact);
        throw new ModelRefusal({ reason: fault.reason, model, words, needed: findNeeded(error) }, { cause: error });
      }
      return { ...fault, error };
    }
  }

  return {
    async respond(request, signal, grace = signal) {
      const startedAt = now();
      let waitedMs = 0;
      for (let attempt = 1; ; attempt += 1) {
        signal.throwIfAborted();
        const outcome = await tryOnce(request, grace);
        if (!('kind' in outcome)) return outcome;
        signal.throwIfAborted();

        const { name, retryAfterMs, detail, error: cause } = outcome;
        const ownWaitMs = Math.min(backoffMs * 2 ** (attempt - 1), longestBackoffMs) * (0.5 + Math.random() / 2);
        const waitMs = Math.max(retryAfterMs ?? 0, ownWaitMs);
        const isUsedUp =
          attempt >= attempts || waitedMs + waitMs > longestWaitMs || now() - startedAt > longestTryingMs;
        if (isUsedUp && retryAfterMs !== undefined && (name === 'rate_limited' || retryAfterMs > longestWaitMs)) {
          const parkMs = Math.min(Math.max(retryAfterMs, longestWaitMs), longestParkMs);
          throw new Parked(new Date(now() + parkMs), 'the model server asked to wait', { cause });
        }
        if (isUsedUp) throw new ModelUnavailable(detail, { cause });
        log?.warn({ model, attempt, waitMs: Math.round(waitMs), detail }, 'model request failed, retrying');
        await pause(waitMs, signal);
        waitedMs += waitMs;
      }
    },
  };
}

type FailedAttempt = Extract<ModelFault, { kind: 'passing' }> & { error: unknown };

function nameOf(fault: ModelFault | undefined): string {
  if (fault === undefined) return 'failed';
  return fault.kind === 'final' ? fault.reason : fault.name;
}
