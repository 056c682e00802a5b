import type { Ledger } from '../harness/trials/ledger.ts';
import type { Random } from '../harness/trials/random.ts';
import type { World } from './world/world.ts';

export interface Trial {
  world: World;
  ledger: Ledger;
  random: Random;
  /** How many tries of one kind a family draws. */
  size: number;
}
