import type { Ledger } from './ledger.ts';

/** One call of the runner, as its suite sees it. */
export interface Session {
  ledger: Ledger;
  /** The same seed draws the same tries. */
  seed: number;
  /** The trials that were asked for, in the order of the suite. */
  chosen: readonly string[];
  /** Time was too short for this. */
  onLeft: (what: string) => void;
  /** Runs one trial. False: it failed to finish. */
  go(name: string, work: () => Promise<unknown>): Promise<boolean>;
  /** Keeps a world for a person to look at if something went wrong. */
  judge(world: { directory: string; keep: () => void }): void;
}
