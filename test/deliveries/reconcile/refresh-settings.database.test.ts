import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { DeliveryParts } from '../../../src/deliveries/delivery-context.ts';
import { refreshProject } from '../../../src/deliveries/reconcile/refresh-settings.ts';
import { inTransaction } from '../../../src/store/store.ts';
import { findProject } from '../../../src/store/tables/repositories/projects.ts';
import { createWorld, type World } from '../../support/worlds/world.ts';
import { createParts } from '../create-parts.ts';

let world: World;
let parts: DeliveryParts;
beforeAll(async () => {
  world = await createWorld({ script: () => ({}) });
  parts = createParts(world);
});
afterEach(() => void vi.useRealTimers());
afterAll(() => world[Symbol.asyncDispose]());

async function readProject() {
  const project = await findProject(parts.database, world.projectId);
  if (!project) throw new Error('there is a project');
  return project;
}

/** What is stored once this process has read it. */
async function refresh() {
  await inTransaction(parts, await refreshProject(parts, await readProject(), new AbortController().signal));
  return (await readProject()).settings;
}

const push = (text: string) =>
  world.github.asPerson('rita').pushCommit('acme/docs', 'main', { '.github/pagewright.yml': text }, 'Set the settings');

test('pushed settings replace those read by a machine whose clock is ahead', async () => {
  // auth-app corrects its own clock by GitHub's.
  await parts.github.fetchApp(new AbortController().signal);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * 60_000 });
  await refresh();
  vi.useRealTimers();
  await push('comments: off\n');
  expect(await refresh()).toMatchObject({ comments: 'off' });
});

test('settings that an earlier version stored with such a clock are replaced at the next refresh', async () => {
  const ahead = sql<Date>`now() + interval '5 minutes'`;
  await parts.database.updateTable('projects').set({ settings_read_at: ahead }).execute();
  await push('comments: mention\n');
  expect(await refresh()).toMatchObject({ comments: 'mention' });
});
