/** What a trial found to be broken. */
export interface Violation {
  promise: number;
  /** Which trial, as `--only` and `--seed` name it. */
  trial: string;
  text: string;
}

/** Counts for each promise how often it was tried and how often it was broken. */
export function createLedger({ onViolation }: { onViolation: (violation: Violation) => void }) {
  const tries = new Map<number, number>();
  const violations: Violation[] = [];
  return {
    violations: violations as readonly Violation[],
    tries: (promise: number) => tries.get(promise) ?? 0,
    /** Counts tries of a promise; what is given is what was found broken in them, one text each. */
    count(promise: number, trial: string, count: number, broken: readonly string[] = []): void {
      tries.set(promise, (tries.get(promise) ?? 0) + count);
      for (const text of broken) {
        const violation = { promise, trial, text };
        violations.push(violation);
        onViolation(violation);
      }
    },
  };
}

export type Ledger = ReturnType<typeof createLedger>;
