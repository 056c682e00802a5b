/** `p50 4.2 ms, p95 9.8 ms, max 12.0 ms` of at least one figure in milliseconds. */
export function formatPercentiles(figures: readonly number[]): string {
  const sorted = figures.toSorted((a, b) => a - b);
  const at = (share: number) => `${(sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN).toFixed(1)} ms`;
  return `p50 ${at(0.5)}, p95 ${at(0.95)}, max ${at(1)}`;
}
