import { expect, test } from 'vitest';
import { simulate } from '../../bench/simulation/simulate.ts';
import { createRandom } from '../../harness/trials/random.ts';

const demand = { worker: 200, postgres: 50, waiting: 150 };
const machines = { workers: 1, slots: 1, workerCores: 2, postgresCores: 1, isOneMachine: false };
const random = () => {
  const { between } = createRandom(7);
  return () => between(0, 1);
};

test.each([
  { name: 'a single slot waits for nobody', change: {}, runsPerSecond: 1_000 / 400 },
  { name: 'a full worker is as fast as its cores', change: { slots: 50 }, runsPerSecond: 2_000 / 200 },
  { name: 'many workers are as fast as PostgreSQL', change: { workers: 20, slots: 8 }, runsPerSecond: 1_000 / 50 },
  {
    name: 'on one machine, all share its cores',
    change: { workers: 4, slots: 8, isOneMachine: true, postgresCores: 2 },
    runsPerSecond: 2_000 / 250,
  },
])('$name', ({ change, runsPerSecond }) => {
  const simulated = simulate(demand, { ...machines, ...change }, random());
  expect(simulated.runsPerSecond / runsPerSecond).toBeGreaterThan(0.95);
  expect(simulated.runsPerSecond / runsPerSecond).toBeLessThan(1.05);
});

test('between the extremes, the processor is busy as long as its share of the work says', () => {
  const { runsPerSecond, workersBusy, postgresBusy } = simulate(demand, { ...machines, slots: 3 }, random());
  expect(workersBusy).toBeCloseTo((runsPerSecond * 200) / 2_000, 1);
  expect(postgresBusy).toBeCloseTo((runsPerSecond * 50) / 1_000, 1);
});
