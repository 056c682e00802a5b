import type { Admit } from '../limits/admission.ts';
import type { Limit } from '../limits/rate-limit.ts';

/** The outcome of one request. `status` is 0 without an answer; `remaining` and `limit` are the hour's rate limit. */
export interface Answered {
  method: string;
  status: number;
  /** Whose rate limit it counts against; undefined for the App's own. */
  installationId: number | undefined;
  remaining: number | undefined;
  limit: number | undefined;
}

export interface Transport {
  apiUrl: string;
  fetch?: typeof globalThis.fetch;
  /** For one request with its whole answer. Default 30,000. */
  requestTimeoutMs?: number;
  /** The pauses between the tries of a read. Default 1,000 and 3,000. */
  retryDelaysMs?: readonly number[];
  /** The pauses of `writeOnNew`. Default 1,000, 2,000, 4,000 and 8,000. */
  settleDelaysMs?: readonly number[];
  /** Called before each request for an installation. Default: admits all at once. */
  admit?: Admit;
  /** Called when a rate limit refuses this installation's request, or will refuse the next. May return a later moment than `limit.until`. */
  onLimited?: (installationId: number, limit: Limit) => Promise<Date | undefined> | Date | undefined;
  /** Called when GitHub accepts a request of an installation that was limited before. */
  onRecovered?: (installationId: number) => Promise<void> | void;
  /** Called once for each request, also without an answer. Must not throw. */
  onAnswered?: (answered: Answered) => void;
}
