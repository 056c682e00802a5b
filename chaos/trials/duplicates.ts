import type { Trial } from './trial.ts';

/** What GitHub has twice, of all that there ever was. */
export function countDuplicates({ world, ledger }: Trial): void {
  ledger.count(1, 'duplicates', 1, world.github.duplicates());
}
