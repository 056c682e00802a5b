import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish, hold, perRun } from '../../../harness/script-steps.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import { steps } from '../../../local/model/script.ts';
import { lookAt, readRuns, untilRunIs } from '../../support/scenario.ts';
import { createWorld } from '../../support/world.ts';

const correct = edit('limits.md', '60 requests', '100 requests');
const done = finish('The limit is 100 now.', { title: 'Correct the limit', description: 'Says 100 requests.' });
const oneRun = steps([correct, done]);
const prompt = 'Make it 100.';

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

test('a cancel during a model request ends the run within two seconds, and nothing is pushed', async () => {
  const editing = hold(correct);
  await using world = await createWorld({ script: steps([editing.step, done]) });
  await using service = await startInWorld(world);
  const { caller } = service;
  const { id } = await caller.create(prompt);
  await editing.asked;
  const askedAt = performance.now();
  await caller.cancel(id);
  expect(await caller.settled(id)).toMatchObject({ status: 'failed', prLink: null });
  expect(performance.now() - askedAt).toBeLessThan(2_000);
  editing.release();

  expect((await readRuns(caller, id)).runs).toMatchObject([{ code: 'cancelled', messages: [{ state: 'dropped' }] }]);
  expect(await lookAt(world).branches()).toEqual([]);
});

test('a follow-up after a cancel is answered, and earlier ones are not', async () => {
  const editing = hold(correct);
  await using world = await createWorld({ script: perRun([steps([editing.step]), oneRun]) });
  await using service = await startInWorld(world);
  const { caller } = service;
  const { id } = await caller.create(prompt);
  await editing.asked;
  await caller.message(id, 'Dropped.');
  await caller.cancel(id);
  await caller.message(id, 'Answered.');
  editing.release();
  expect(await caller.settled(id)).toMatchObject({ status: 'completed' });

  const { runs } = await readRuns(caller, id);
  expect(
    runs.map(({ code, messages }) => [code, ...messages.map(({ prompt, state }) => `${prompt} ${state}`)]),
  ).toEqual([
    ['cancelled', `${prompt} dropped`, 'Dropped. dropped'],
    ['published', 'Answered. answered'],
  ]);
});

test('a run that is publishing finishes when it is cancelled', async () => {
  await using world = await createWorld({ script: oneRun });
  await using service = await startInWorld(world);
  const { caller } = service;
  const pushing = world.github.inject({ kind: 'hold-before', path: /git-receive-pack$/ });
  const { id } = await caller.create(prompt);
  await untilRunIs(caller, id, 'publishing');
  await eventually(() => pushing.hits() || undefined);
  await caller.message(id, 'Dropped.');
  expect(await caller.cancel(id)).toMatchObject({ status: 'active' });
  pushing.release();
  expect(await caller.settled(id)).toMatchObject({ status: 'completed' });
  const { runs } = await readRuns(caller, id);
  expect(runs).toMatchObject([
    { code: 'published', messages: [{ state: 'answered' }, { prompt: 'Dropped.', state: 'dropped' }] },
  ]);
  expect(await lookAt(world).pullRequests()).toHaveLength(1);
});

test('cancelling a job that is not active answers 200 and changes nothing', async () => {
  await using world = await createWorld({ script: oneRun });
  await using service = await startInWorld(world);
  const { caller } = service;
  const { id } = await caller.create(prompt);
  const completed = await caller.settled(id);
  expect(await caller.cancel(id)).toEqual(completed);
  const archived = await caller.archive(id);
  expect(await caller.cancel(id)).toEqual(archived);
});

test('promise 14: a job that is archived while its run works pushes nothing afterwards', async () => {
  const editing = hold(correct);
  await using world = await createWorld({ script: steps([editing.step, done]) });
  await using service = await startInWorld(world);
  const { caller } = service;
  const { id } = await caller.create(prompt);
  await editing.asked;
  await caller.message(id, 'Waiting.');
  expect(await caller.archive(id)).toMatchObject({ status: 'archived', prLink: null });
  editing.release();
  const workspaces = join(world.environment.DATA_DIR ?? '', 'workspaces');
  await eventually(async () => ((await readdir(workspaces)).length === 0 ? true : undefined));

  const { runs } = await readRuns(caller, id);
  expect(runs).toMatchObject([
    {
      code: 'archived',
      commit: null,
      messages: [prompt, 'Waiting.'].map((asked) => ({ prompt: asked, state: 'dropped', reason: 'archived' })),
    },
  ]);
  expect(await lookAt(world).branches()).toEqual([]);
  await expect(caller.message(id, 'More.')).rejects.toThrow('409');
});
