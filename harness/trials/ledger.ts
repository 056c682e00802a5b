export interface Violation {
  promise: number;
  /** Which trial, as `--only` and `--seed` name it. */
  trial: string;
  text: string;
}

export function createLedger({ onViolation }: { onViolation: (violation: Violation) => void }) {
  const tries = new Map<number, number>();
  const violations: Violation[] = [];
  return {
    violations: violations as readonly Violation[],
    tries: (promise: number) => tries.get(promise) ?? 0,
    /** Counts tries of a promise, and one violation for each text. */
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
