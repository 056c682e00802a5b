import type { Admit } from '../limits/admission.ts';
import type { Limit } from '../limits/rate-limit.ts';

/** What came of one request. `status` is 0 where no answer came; `remaining` and `limit` are of the caller's hour, where GitHub said so. */
export interface Answered {
  method: string;
  status: number;
  /** Whose limits it counts against; undefined: the App's own. */
  installationId: number | undefined;
  remaining: number | undefined;
  limit: number | undefined;
}

/** What all clients of one App share. */
export interface Transport {
  apiUrl: string;
  /** Default: the global one. */
  fetch?: typeof globalThis.fetch;
  /** Time for one request and its whole answer. Default 30,000. */
  requestTimeoutMs?: number;
  /** The pauses between the tries of a read; their number is how often one is repeated. Default 1,000 and 3,000. */
  retryDelaysMs?: readonly number[];
  /**
   * The pauses before a write is sent again that GitHub refused because it did not know yet what was just created; all writes of one client
   * share them. Default 1,000, 2,000, 4,000 and 8,000.
   */
  settleDelaysMs?: readonly number[];
  /** Asked before each request in the name of an installation, by whatever token. None: all are sent at once. */
  admit?: Admit;
  /**
   * Called when a limit of GitHub's refuses this installation a request, or will refuse the next one: nobody may ask in its name until
   * `limit.until`, or until the moment that this returns.
   */
  onLimited?: (installationId: number, limit: Limit) => Promise<Date | undefined> | Date | undefined;
  /** Called when GitHub has taken something from an installation that was admitted as limited before. */
  onRecovered?: (installationId: number) => Promise<void> | void;
  /** Called once for each request, also where it is refused or no answer comes. Must not throw. */
  onAnswered?: (answered: Answered) => void;
}
