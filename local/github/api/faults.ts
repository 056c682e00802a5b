/** A failure of the next requests that match. */
export type FaultKind =
  /** Answers `status` (502) without carrying the request out. */
  | { kind: 'before'; status?: number }
  /** Carries the request out and answers `status` (502). */
  | { kind: 'after'; status?: number }
  | { kind: 'reset-before' }
  | { kind: 'reset-after' }
  /** Waits, before or after carrying the request out, until `release()` or the end. */
  | { kind: 'hold-before' }
  | { kind: 'hold-after' }
  /** Waits; `release()` resets the connection, and the request is never carried out. */
  | { kind: 'hold-reset' }
  /** https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits; no `retryAfter` (seconds): no header. */
  | { kind: 'secondary-limit'; retryAfter?: number; status?: 403 | 429 }
  | { kind: 'primary-limit'; reset: Date }
  /** Sends this answer without carrying the request out. */
  | { kind: 'answer'; status: number; body: unknown; headers?: Record<string, string> }
  /** Leaves the newest item out of a list. */
  | { kind: 'stale' };

export type FaultRule = FaultKind & {
  /** Default: any. */
  method?: string;
  path: RegExp;
  /** How many matching requests it hits; default 1. */
  times?: number;
};

export interface Fault {
  /** How many requests it has hit so far. */
  hits(): number;
  /** Lets held requests continue. */
  release(): void;
  /** Hits no further request; held requests continue. */
  remove(): void;
}

export interface ActiveFault {
  rule: FaultRule;
  /** Resolves when a held request may continue. */
  released: Promise<void>;
}

/** Keeps the injected faults; `take` uses the first that matches a request once. */
export function createFaults() {
  const active: (ActiveFault & { release(): void; left: number; hits: number })[] = [];
  return {
    inject(rule: FaultRule): Fault {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const fault = { rule, released, release, left: rule.times ?? 1, hits: 0 };
      active.push(fault);
      const remove = () => {
        fault.left = 0;
        release();
      };
      return { hits: () => fault.hits, release: () => release(), remove };
    },
    take(method: string, path: string): ActiveFault | undefined {
      const fault = active.find(
        ({ rule, left }) => left > 0 && (rule.method ?? method).toUpperCase() === method && path.search(rule.path) >= 0,
      );
      if (!fault) return undefined;
      fault.left -= 1;
      fault.hits += 1;
      return fault;
    },
    releaseAll(): void {
      for (const { release } of active) release();
    },
  };
}

export type Faults = ReturnType<typeof createFaults>;
