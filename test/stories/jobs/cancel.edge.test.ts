import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { hold } from '../../../harness/script-steps.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import { steps } from '../../../local/model/script.ts';
import { correct, done, oneRun } from '../../support/worlds/correction.ts';
import { readRuns } from '../../support/worlds/scenario.ts';
import { openWorkshop, type Workshop } from '../../support/worlds/workshop.ts';
import { createWorld } from '../../support/worlds/world.ts';

const prompt = 'Make it 100.';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop[Symbol.asyncDispose]());

test('a queued job is cancelled at once, without a model request', async () => {
  await using world = await createWorld({ script: oneRun });
  await using web = await startInWorld(world, { ROLE: 'web' });
  const { caller } = web;
  const { id } = await caller.create(prompt);
  await caller.message(id, 'And 200.');
  expect(await caller.cancel(id)).toMatchObject({ status: 'failed', prLink: null });
  await using _worker = await startInWorld(world, { ROLE: 'worker' });
  const other = await caller.create(prompt);
  await caller.settled(other.id);

  expect(await caller.get(id)).toMatchObject({ status: 'failed' });
  const { runs } = await readRuns(caller, id);
  expect(runs).toMatchObject([
    { code: 'cancelled', sentence: 'Stopped on request. Changes pushed before that are kept.', turns: 0 },
  ]);
  expect(runs[0]?.messages.map(({ state, reason }) => [state, reason])).toEqual([
    ['dropped', 'cancelled'],
    ['dropped', 'cancelled'],
  ]);
  expect(world.model.requests).toHaveLength(2);
});

test('a follow-up after a cancel is answered, and earlier ones are not', async () => {
  const editing = hold(correct);
  const job = await shop.create('Make it 100, or not.', [steps([editing.step]), oneRun]);
  await editing.asked;
  await job.message('Dropped.');
  await shop.caller.cancel(job.id);
  await job.message('Answered.');
  editing.release();
  expect(await job.settled()).toMatchObject({ status: 'completed' });

  const runs = await job.runs();
  expect(
    runs.map(({ code, messages }) => [code, ...messages.map(({ prompt, state }) => `${prompt} ${state}`)]),
  ).toEqual([
    ['cancelled', 'Make it 100, or not. dropped', 'Dropped. dropped'],
    ['published', 'Answered. answered'],
  ]);
});

test('cancelling a job that is not active answers 200 and changes nothing', async () => {
  const { caller } = shop;
  const job = await shop.create('Make it 100, to the end.', [oneRun]);
  const completed = await job.settled();
  expect(await caller.cancel(job.id)).toEqual(completed);
  const archived = await caller.archive(job.id);
  expect(await caller.cancel(job.id)).toEqual(archived);
});

test('promise 14: a job that is archived while its run works pushes nothing afterwards', async () => {
  const editing = hold(correct);
  const { create, world, caller, github } = await shop.createIn('archiving');
  const first = 'Make it 100, until archived.';
  const job = await create(first, [steps([editing.step, done])]);
  await editing.asked;
  await job.message('Waiting.');
  expect(await caller.archive(job.id)).toMatchObject({ status: 'archived', prLink: null });
  editing.release();
  const workspaces = join(world.environment.DATA_DIR ?? '', 'workspaces');
  await eventually(async () => ((await readdir(workspaces)).length === 0 ? true : undefined));

  expect(await job.runs()).toMatchObject([
    {
      code: 'archived',
      commit: null,
      messages: [first, 'Waiting.'].map((asked) => ({ prompt: asked, state: 'dropped', reason: 'archived' })),
    },
  ]);
  expect(await github.branches()).toEqual([]);
  await expect(job.message('More.')).rejects.toThrow('409');
});
