import type { Ledger } from '../ledger.ts';
import type { Rounds } from './rounds/rounds.ts';
import type { World } from './world/world.ts';

export interface Trial {
  world: World;
  rounds: Rounds;
  ledger: Ledger;
  seed: number;
}
