import type { Admit } from '../limits/admission.ts';
import type { Limit } from '../limits/rate-limit.ts';

/** The outcome of one request. `status` is 0 without an answer; `remaining` and `limit` are the hour's rate limit. */
export interface Answered {
  method: string;
  status: number;
  /** Undefined for the App's own requests. */
  installationId: number | undefined;
  remaining: number | undefined;
  limit: number | undefined;
}

export interface Transport {
  apiUrl: string;
  fetch?: typeof globalThis.fetch;
  requestTimeoutMs?: number;
  retryDelaysMs?: readonly number[];
  /** The pauses of `writeOnNew`. */
  settleDelaysMs?: readonly number[];
  admit?: Admit;
  /** Called when a rate limit refuses this installation's request, or will refuse the next. May return a later moment than `limit.until`. */
  onLimited?: (installationId: number, limit: Limit) => Promise<Date | undefined> | Date | undefined;
  /** Called when GitHub accepts a request again after a limit. */
  onRecovered?: (installationId: number) => Promise<void> | void;
  /** Called once for each request, also without an answer. Must not throw. */
  onAnswered?: (answered: Answered) => void;
}
