import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { hold } from '../../../harness/script-steps.ts';
import { steps } from '../../../local/model/script.ts';
import { correct, done, oneRun } from '../../support/worlds/correction.ts';
import { openWorkshop, type Workshop } from '../../support/worlds/workshop.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop[Symbol.asyncDispose]());

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
