import { afterAll, beforeAll, expect, test } from 'vitest';
import { edit, finish, hold, write } from '../../../harness/script-steps.ts';
import { steps } from '../../../local/model/script.ts';
import { correct, done, oneRun } from '../../support/worlds/correction.ts';
import { readRuns } from '../../support/worlds/scenario.ts';
import { findMessages, openWorkshop, type Workshop } from '../../support/worlds/workshop.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop[Symbol.asyncDispose]());

test.concurrent('promise 15: follow-ups during a run reach the model at its next turn, once and in order', async () => {
  const first = hold(correct);
  const second = hold(write('new.md', 'New.\n'));
  const all = ['First of four.', 'Second.', 'Third.', 'Fourth.'];
  const job = await shop.create('First of four.', [steps([first.step, second.step, done])]);
  await first.asked;
  await job.message('Second.');
  await job.message('Third.');
  first.release();
  await second.asked;
  expect(findMessages(job.asked(), all)).toEqual(all.slice(0, 3));
  await job.message('Fourth.');
  second.release();
  await job.settled();

  expect(findMessages(job.asked(), all)).toEqual(all);
  const { runs, waiting } = await readRuns(shop.caller, job.id);
  expect(waiting).toEqual([]);
  expect(runs.map(({ messages }) => messages.map(({ prompt }) => prompt))).toEqual([all]);
  const { body } = await shop.github.pullRequest(await job.number());
  expect(body?.match(/> (First of four|Second|Third|Fourth)\./g)).toEqual(all.map((prompt) => `> ${prompt}`));
});

test.concurrent('an archived job answers a follow-up with 409', async () => {
  const { caller } = shop;
  const job = await shop.create('Make it 100 once and for all.', [oneRun]);
  const { prLink } = await job.settled();
  const archived = await caller.archive(job.id);
  expect(archived).toMatchObject({ status: 'archived', prLink });
  await expect(job.message('And 200?')).rejects.toThrow('409');
  expect(await caller.archive(job.id)).toEqual(archived);
});

// By itself: it holds the next push, whose ever it is.
test('promise 15: the next run answers a follow-up that arrives while the run publishes', async () => {
  const { world, caller, github } = shop;
  const later = steps([edit('limits.md', '100', '200'), finish('The limit is 200 now.')]);
  const pushing = world.github.inject({ kind: 'hold-before', path: /git-receive-pack$/, times: 1 });
  const job = await shop.create('Make it 100 while publishing.', [oneRun, later]);
  await caller.until(job.id, () => pushing.hits() > 0);
  expect(await job.message('Make it 200.')).toMatchObject({ status: 'active', prLink: null });
  pushing.release();
  const ended = await job.settled();

  const runs = await job.runs();
  expect(runs.map(({ messages }) => messages.map(({ prompt }) => prompt))).toEqual([
    ['Make it 100 while publishing.'],
    ['Make it 200.'],
  ]);
  expect(await github.commits(ended.source.ref)).toEqual([runs[1]?.commit, runs[0]?.commit]);
  expect(world.github.duplicates()).toEqual([]);
});
