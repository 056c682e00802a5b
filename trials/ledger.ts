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

/** The promises that the trials test, in the words of docs/reliability.md and docs/security.md. */
export const promises: Record<number, string> = {
  1: 'never two branches, pull requests or comments for one run, whatever dies, whenever',
  2: 'an accepted request is never lost',
  3: 'one live run per job; a worker without the lease can do nothing',
  4: 'secrets stay where they belong',
  5: 'the agent changes only what it may',
  6: 'only people with write access prompt',
  7: 'forged, oversized and hostile input costs little',
  8: 'duplicate, late, reordered and missed deliveries end in the same state',
  9: 'every run ends within its limits and says why',
  10: 'a crashed run continues elsewhere where it stopped, within 30 s',
  11: 'a pull request or comment is never blindly posted again',
  12: 'projects cannot see one another',
  13: 'commits of people are never overwritten',
  14: 'a merge or close stops everything within seconds',
  15: 'follow-ups are answered in order, each once',
  16: 'a deploy costs a run nothing',
  17: 'minutes without the database do no harm',
  18: 'a hostile repository is only data',
  19: 'what the agent says carries nothing out',
  20: 'hidden input does not reach the model',
  21: 'GitHub’s limits hold for each installation, across processes',
  22: 'each fault of the model server has one outcome',
  23: 'a request repeated with its Idempotency-Key is accepted once',
  24: 'no input makes a 5xx; every error is problem+json',
  25: 'one project’s backlog does not hold up another’s',
  27: 'many processes start at once',
  28: 'nothing is left behind',
  29: 'outbound webhooks arrive at least once, in order, signed',
  32: 'navigation and redirects are changed as data only',
  33: 'the events of a job are gapless, in order, and true',
  35: 'a secret of the repository is neither read nor published',
  36: 'the dashboard shows and allows what GitHub says',
  37: 'a repository is read for another one only while both agree',
  38: 'each occasion of an automation is taken up exactly once',
  39: 'one open pull request per automation; where nothing needs to be said, nothing is said',
  42: 'whatever anybody sends, /livez and a signed webhook are answered within a second',
};

/** A Markdown table of promise, tries and violations, without the promises that were not tried. */
export function formatLedger({ tries, violations }: Ledger): string[] {
  const rows = Object.entries(promises).flatMap(([number, text]) => {
    const count = tries(Number(number));
    const broken = violations.filter(({ promise }) => promise === Number(number)).length;
    return count === 0 ? [] : [[`${number}: ${text}`, String(count), String(broken)]];
  });
  const table = [['Promise', 'Tries', 'Violations'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = table;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)];
}
