import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { hold } from '../../../harness/script-steps.ts';
import { steps } from '../../../local/model/script.ts';
import { correct, done, oneRun } from '../../support/worlds/correction.ts';
import { untilRunIs } from '../../support/worlds/scenario.ts';
import { openWorkshop, type Workshop } from '../../support/worlds/workshop.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop[Symbol.asyncDispose]());

test('a cancel during a model request ends the run within two seconds, and nothing is pushed', async () => {
  const editing = hold(correct);
  const { create, caller, github } = await shop.createIn('asking');
  const job = await create('Make it 100, while asked.', [steps([editing.step, done])]);
  await editing.asked;
  const askedAt = performance.now();
  await caller.cancel(job.id);
  expect(await job.settled()).toMatchObject({ status: 'failed', prLink: null });
  expect(performance.now() - askedAt).toBeLessThan(2_000);
  editing.release();

  expect(await job.runs()).toMatchObject([{ code: 'cancelled', messages: [{ state: 'dropped' }] }]);
  expect(await github.branches()).toEqual([]);
});

test('a run that is publishing finishes when it is cancelled', async () => {
  const { create, world, caller, github } = await shop.createIn('publishing');
  const pushing = world.github.inject({ kind: 'hold-before', path: /\/publishing\/.*git-receive-pack$/ });
  const job = await create('Make it 100, and publish.', [oneRun]);
  await untilRunIs(caller, job.id, 'publishing');
  await eventually(() => pushing.hits() || undefined);
  await job.message('Dropped.');
  expect(await caller.cancel(job.id)).toMatchObject({ status: 'active' });
  pushing.release();
  expect(await job.settled()).toMatchObject({ status: 'completed' });
  expect(await job.runs()).toMatchObject([
    { code: 'published', messages: [{ state: 'answered' }, { prompt: 'Dropped.', state: 'dropped' }] },
  ]);
  expect(await github.pullRequests()).toHaveLength(1);
});
