/** What goes wrong with the next requests that match. */
export type FaultKind =
  /** Nothing is done; `status` (502) is the answer. */
  | { kind: 'before'; status?: number }
  /** It is done; `status` (502) is the answer all the same. */
  | { kind: 'after'; status?: number }
  | { kind: 'reset-before' }
  | { kind: 'reset-after' }
  /** The request waits, not yet done or already done, until `release()` or the end. */
  | { kind: 'hold-before' }
  | { kind: 'hold-after' }
  /** The request waits; after `release()` its connection is reset, and it is never done. */
  | { kind: 'hold-reset' }
  /** https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits; no `retryAfter` (seconds): no header. */
  | { kind: 'secondary-limit'; retryAfter?: number; status?: 403 | 429 }
  | { kind: 'primary-limit'; reset: Date }
  /** Nothing is done; this is the answer. */
  | { kind: 'answer'; status: number; body: unknown; headers?: Record<string, string> }
  /** A list misses its newest item. */
  | { kind: 'stale' };

export type FaultRule = FaultKind & {
  /** Any when not given. */
  method?: string;
  path: RegExp;
  /** How many matching requests it hits; default 1. */
  times?: number;
};

export interface Fault {
  /** How many requests it has hit so far. */
  hits(): number;
  /** Lets held requests go on. */
  release(): void;
  /** Hits no further request; held ones go on. */
  remove(): void;
}

export interface ActiveFault {
  rule: FaultRule;
  /** Resolves when a held request may go on. */
  released: Promise<void>;
}

/** Keeps the injected faults; `take` finds the first that matches a request and uses it up by one. */
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
