import { expect, test, vi } from 'vitest';
import { tryCrashes } from '../../../trials/faults/crash.ts';
import { tryFreezes } from '../../../trials/faults/freeze.ts';
import { firstRun, laterKinds } from '../../../trials/faults/kinds/kinds.ts';
import { tryLimits } from '../../../trials/faults/limits.ts';
import { tryOutages } from '../../../trials/faults/outage.ts';
import { checkWorld } from '../../../trials/faults/plan.ts';
import type { Point } from '../../../trials/faults/processes/point.ts';
import { tryRecoveries } from '../../../trials/faults/recovery.ts';
import { tryAcceptance } from '../../../trials/faults/requests/acceptance.ts';
import { tryRetries } from '../../../trials/faults/requests/retries.ts';
import { createRounds } from '../../../trials/faults/rounds/rounds.ts';
import type { Trial } from '../../../trials/faults/trial.ts';
import { openWorld } from '../../../trials/faults/world/world.ts';
import { createLedger } from '../../../trials/ledger.ts';

// Minutes of real processes that are killed, on a machine that has other tests to run.
vi.setConfig({ testTimeout: 1_800_000 });

const { signal } = new AbortController();
const [followUp = firstRun] = laterKinds;
/** A third of them, to save time. */
const isChosen = (point: Point) => /^before (ask model|store answer|push|record push|pull-request|end) /.test(point);

const lanes: { what: string; promises: number[]; play: (trial: Trial) => Promise<void> }[] = [
  {
    what: 'promises 1, 3, 10, 11, 15, 17 and 28: runs whose worker dies, freezes or loses the database',
    promises: [1, 3, 10, 11, 15, 17, 28],
    async play(trial) {
      await tryCrashes(trial, [firstRun, followUp]);
      await tryFreezes(trial, [firstRun]);
      await tryOutages(trial, { kinds: [firstRun], seconds: 4, points: isChosen });
    },
  },
  {
    what: 'promises 2, 10, 21, 23 and 28: requests whose process dies, a lease that expires, GitHub that refuses',
    promises: [2, 10, 21, 23, 28],
    async play(trial) {
      await tryRetries(trial, { kills: 2, signal });
      await tryAcceptance(trial, { times: 1 });
      await tryLimits(trial, { times: 1 });
      await tryRecoveries(trial, { count: 1 });
    },
  },
];

// All of it is `npm run chaos`, whose table is in docs/reliability.md.
test.each(lanes)('$what', async ({ promises, play }) => {
  await using world = await openWorld();
  const ledger = createLedger({ onViolation: () => {} });
  const trial = { world, rounds: createRounds(world), ledger, seed: 1 };
  await play(trial);
  await checkWorld(trial);
  expect(ledger.violations).toEqual([]);
  for (const promise of promises) expect(ledger.tries(promise)).toBeGreaterThan(0);
});
