import type { Trial } from './trial.ts';

/** Counts duplicates on GitHub over the whole life of a world. */
export function countDuplicates({ world, ledger }: Trial): void {
  ledger.count(1, 'duplicates', 1, world.github.duplicates());
}
