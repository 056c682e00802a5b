import type { Random } from '../../harness/random.ts';
import type { Ledger } from '../ledger.ts';
import type { World } from './world/world.ts';

export interface Trial {
  world: World;
  ledger: Ledger;
  random: Random;
  /** How many tries of one kind a family draws. */
  size: number;
}
