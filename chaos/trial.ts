import type { Ledger } from './ledger.ts';
import type { Rounds } from './rounds.ts';
import type { World } from './world.ts';

/** What every trial works with. */
export interface Trial {
  world: World;
  rounds: Rounds;
  ledger: Ledger;
  seed: number;
}
