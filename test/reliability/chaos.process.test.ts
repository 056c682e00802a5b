import { expect, test, vi } from 'vitest';
import { firstRun, laterKinds } from '../../chaos/kinds/kinds.ts';
import { checkWorld } from '../../chaos/plan.ts';
import type { Point } from '../../chaos/processes/point.ts';
import { createRounds } from '../../chaos/rounds/rounds.ts';
import { tryCrashes } from '../../chaos/trials/crash.ts';
import { tryKills } from '../../chaos/trials/kills.ts';
import { tryOutages } from '../../chaos/trials/outage.ts';
import { openWorld } from '../../chaos/world/world.ts';
import { createLedger } from '../../harness/trials/ledger.ts';

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
