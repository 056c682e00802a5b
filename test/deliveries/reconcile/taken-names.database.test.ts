import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import type { DeliveryParts } from '../../../src/deliveries/delivery-context.ts';
import { processDelivery } from '../../../src/deliveries/process-delivery.ts';
import { reconcileInstallations } from '../../../src/deliveries/reconcile/reconcile-installation.ts';
import { removeProject } from '../../../src/deliveries/reconcile/remove-project.ts';
import { storeDelivery } from '../../../src/deliveries/store-delivery.ts';
import { inTransaction } from '../../../src/store/store.ts';
import { upsertInstallation } from '../../../src/store/tables/repositories/installations.ts';
import { findProject } from '../../../src/store/tables/repositories/projects.ts';
import { acceptJob } from '../../support/databases/jobs.ts';
import { createWorld, type World } from '../../support/worlds/world.ts';
import { createParts } from '../create-parts.ts';

const { signal } = new AbortController();
let world: World;
let parts: DeliveryParts;
let jobId: string;
beforeEach(async () => {
  world = await createWorld({ script: () => ({ text: 'Nothing to do.' }) });
  parts = createParts(world);
  jobId = (await acceptJob(parts, world.projectId)).job_id;
});
afterEach(() => world[Symbol.asyncDispose]());

const rita = () => world.github.asPerson('rita');
const readStatus = async () => {
  const job = parts.database.selectFrom('jobs').select('status').where('job_id', '=', jobId);
  return (await job.executeTakeFirstOrThrow()).status;
};

test.each(['acme', 'globex'])(
  'promise 2: a moved repository whose old name is taken keeps its jobs, even if %s is reconciled first',
  async (first) => {
    const { github } = world;
    github.addUser('globex', { type: 'Organization' });
    github.install({ account: 'globex', repositories: 'all' });
    await reconcileInstallations(parts, signal);
    rita().transferRepository('acme/docs', 'globex');
    await github.addRepository({ owner: 'acme', name: 'docs', files: {} });
    const compared = (account: string, at: string) =>
      parts.database.updateTable('installations').set({ compared_at: at }).where('account', '=', account).execute();
    await compared('acme', first === 'acme' ? '2026-11-01' : '2026-11-02');
    await compared('globex', first === 'acme' ? '2026-11-02' : '2026-11-01');
    await reconcileInstallations(parts, signal);
    expect(await findProject(parts.database, world.projectId)).toMatchObject({ owner: 'globex', removed_at: null });
    expect(await readStatus()).toBe('active');
  },
);

test('promise 2: a repository that is added back during the check keeps its jobs', async () => {
  const { github, installationId } = world;
  github.removeFromInstallation(installationId, ['docs']);
  const path = /^\/repos\/acme\/docs\/installation$/;
  const looking = github.inject({ path, kind: 'hold-before' });
  const comparing = reconcileInstallations(parts, signal);
  await eventually(() => looking.hits() || undefined);
  github.addToInstallation(installationId, ['docs']);
  looking.release();
  await comparing;
  expect(await readStatus()).toBe('active');
});

test("promise 2: a project that moves after GitHub's answer keeps its jobs", async () => {
  const asked = await findProject(parts.database, world.projectId);
  if (!asked) throw new Error('the world has a project');
  await upsertInstallation(parts.database, { installationId: 7, account: 'globex', suspendedAt: null });
  await parts.database.updateTable('projects').set({ installation_id: 7 }).execute();
  await inTransaction(parts, (store) => removeProject(store, asked));
  expect(await findProject(parts.database, world.projectId)).toMatchObject({ removed_at: null });
  expect(await readStatus()).toBe('active');
});

test('a deleted repository whose name is taken is removed once all installations were read', async () => {
  const { github } = world;
  rita().deleteRepository('acme/docs');
  const told = github.deliveries.log.at(-1);
  if (!told) throw new Error('GitHub told of it');
  await github.addRepository({ owner: 'acme', name: 'docs', files: {} });
  await storeDelivery(parts, { id: told.deliveryId, name: told.event, payload: told.payload });
  await processDelivery(parts, told.deliveryId, signal);
  expect(await readStatus()).toBe('active');
  await reconcileInstallations(parts, signal);
  expect(await readStatus()).toBe('archived');
});
