import { expect, test, vi } from 'vitest';
import { tryCrashes } from '../../../trials/faults/crash.ts';
import { tryKills } from '../../../trials/faults/kills.ts';
import { firstRun, laterKinds } from '../../../trials/faults/kinds/kinds.ts';
import { tryOutages } from '../../../trials/faults/outage.ts';
import { checkWorld } from '../../../trials/faults/plan.ts';
import type { Point } from '../../../trials/faults/processes/point.ts';
import { createRounds } from '../../../trials/faults/rounds/rounds.ts';
import { openWorld } from '../../../trials/faults/world/world.ts';
import { createLedger } from '../../../trials/ledger.ts';

// A minute of real processes that are killed, on a machine that has other tests to run.
vi.setConfig({ testTimeout: 600_000 });

/** A third of them, for the sake of the minute. */
const isChosen = (point: Point) => /^before (ask model|store answer|push|record push|pull-request|end) /.test(point);

// The whole of it is `npm run chaos`, whose table stands in docs/reliability.md.
test('promises 1, 2, 10, 11, 17 and 28: every promise holds during a minute of chaos', async () => {
  await using world = await openWorld();
  const ledger = createLedger({ onViolation: () => {} });
  const trial = { world, rounds: createRounds(world), ledger, seed: 1 };
  await tryCrashes(trial, [firstRun]);
  await tryOutages(trial, { kinds: [firstRun], seconds: 4, points: isChosen });
  await tryKills(trial, {
    count: 2,
    kinds: [firstRun, ...laterKinds.slice(0, 1)],
    signal: new AbortController().signal,
  });
  await checkWorld(trial);
  expect(ledger.violations).toEqual([]);
  for (const promise of [1, 2, 10, 11, 17, 28]) expect(ledger.tries(promise)).toBeGreaterThan(0);
});
