export interface Figure {
  what: string;
  measured: string;
  goal?: { text: string; isMet: boolean };
}

/** Nearest rank. NaN for an empty list. */
export function percentile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const median = (figures: readonly number[]) => percentile(figures, 0.5);

export const formatMs = (ms: number) => `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;

export function describeDuration(what: string, ms: number, { goalMs }: { goalMs?: number } = {}): Figure {
  const measured = formatMs(ms);
  return goalMs === undefined
    ? { what, measured }
    : { what, measured, goal: { text: `≤ ${goalMs} ms`, isMet: ms <= goalMs } };
}

/** `p50 4.2 ms, p99 9.8 ms, max 12 ms (n = 500)`, compared with a goal for the quantile at `share`. */
export function describeLatencies(
  what: string,
  figures: readonly number[],
  { share = 0.95, goalMs }: { share?: number; goalMs?: number } = {},
): Figure {
  const at = percentile(figures, share);
  const name = `p${Math.round(share * 100)}`;
  const measured = `p50 ${formatMs(median(figures))}, ${name} ${formatMs(at)}, max ${formatMs(percentile(figures, 1))} (n = ${figures.length})`;
  if (goalMs === undefined) return { what, measured };
  return { what, measured, goal: { text: `${name} ≤ ${goalMs} ms`, isMet: at <= goalMs } };
}

/** The median of the ratios, pair by pair, so that a slow moment of the machine slows both. */
export function describeRatio(
  what: string,
  pairs: readonly { ours: number; theirs: number }[],
  goal: { atMost: number } | { atLeast: number },
): Figure {
  const ratio = median(pairs.map(({ ours, theirs }) => ours / theirs));
  const isMet = 'atMost' in goal ? ratio <= goal.atMost : ratio >= goal.atLeast;
  const text = 'atMost' in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`;
  return { what, measured: `${ratio.toFixed(2)} (median of ${pairs.length} pairs)`, goal: { text, isMet } };
}

export function formatTable(figures: readonly Figure[]): string[] {
  const whatWidth = Math.max(...figures.map(({ what }) => what.length));
  const measuredWidth = Math.max(...figures.map(({ measured }) => measured.length));
  return figures.map(({ what, measured, goal }) => {
    const told = goal ? `goal ${goal.text}: ${goal.isMet ? 'met' : 'MISSED'}` : '';
    return `${what.padEnd(whatWidth)}  ${measured.padEnd(measuredWidth)}  ${told}`.trimEnd();
  });
}

/** How long it takes, in milliseconds. */
export async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
