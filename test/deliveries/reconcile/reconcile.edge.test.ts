import { createHmac, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish } from '../../../harness/script-steps.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import { steps } from '../../../local/model/script.ts';
import type { DeliveryParts } from '../../../src/deliveries/delivery-context.ts';
import { processDelivery } from '../../../src/deliveries/process-delivery.ts';
import { reconcileInstallations } from '../../../src/deliveries/reconcile/reconcile-installation.ts';
import { storeDelivery } from '../../../src/deliveries/store-delivery.ts';
import { createKey } from '../../../src/keys/project-keys.ts';
import { acceptJob } from '../../support/databases/jobs.ts';
import { createWorld, type World } from '../../support/worlds/world.ts';
import { createParts } from '../create-parts.ts';

const oneRun = steps([edit('limits.md', '60', '100'), finish('Done.', { title: 'Limit', description: 'Says 100.' })]);
const listInstallations = { method: 'GET', path: /^\/app\/installations(\?|$)/ } as const;
const readInstallationAlone = { method: 'GET', path: /^\/app\/installations\/\d+$/ } as const;
const listRepositories = { method: 'GET', path: /^\/installation\/repositories(\?|$)/ } as const;

const { signal } = new AbortController();
let world: World;
let parts: DeliveryParts;
let lines: string[];
beforeEach(async () => {
  world = await createWorld({ script: oneRun });
  lines = [];
  parts = createParts(world, { lines });
});
afterEach(() => world[Symbol.asyncDispose]());

const readInstallation = (installationId: number) =>
  parts.database
    .selectFrom('installations')
    .selectAll()
    .where('installation_id', '=', installationId)
    .executeTakeFirst();
const readProjects = (owner: string) =>
  parts.database
    .selectFrom('projects')
    .select(['repo', 'removed_at'])
    .where('owner', '=', owner)
    .orderBy('repo')
    .execute();
const readStatus = async (jobId: string) => {
  const job = parts.database.selectFrom('jobs').select('status').where('job_id', '=', jobId);
  return (await job.executeTakeFirstOrThrow()).status;
};

/** What somebody does who adds a repository to GitHub, makes a key for it and sends a job at once. */
async function addProject(name: string): Promise<string> {
  const { id: repositoryId, defaultBranch } = await world.github.addRepository({ owner: 'acme', name, files: {} });
  const { installationId } = world;
  const place = { owner: 'acme', repo: name };
  const repository = { ...place, repositoryId, installationId, defaultBranch };
  const installation = { installationId, account: 'acme', suspendedAt: null };
  const findInstalledRepository = async () => ({ installation, repository });
  const { database } = parts;
  const created = await createKey({ database, ...place, name: 'ci', expiresAt: null, findInstalledRepository });
  if (!created) throw new Error(`could not create a key of ${name}`);
  return (await acceptJob(parts, created.projectId)).job_id;
}

test('promise 2: a repository that is added while GitHub lists repositories keeps its jobs', async () => {
  const reading = world.github.inject({ ...listRepositories, kind: 'hold-after' });
  const reconciling = reconcileInstallations(parts, signal);
  await eventually(() => world.github.requests.find(({ path, done }) => done && listRepositories.path.test(path)));
  const jobId = await addProject('new');
  reading.release();
  await reconciling;
  expect(await readProjects('acme')).toEqual([
    { repo: 'docs', removed_at: null },
    { repo: 'new', removed_at: null },
  ]);
  expect(await readStatus(jobId)).toBe('active');
});

test('promise 8: deleted repositories and installations are found without a webhook', async () => {
  const jobId = await addProject('new');
  const { job_id: other } = await acceptJob(parts, world.projectId);
  world.github.removeFromInstallation(world.installationId, ['new']);
  await reconcileInstallations(parts, signal);
  expect(await readProjects('acme')).toEqual([
    { repo: 'docs', removed_at: null },
    { repo: 'new', removed_at: expect.any(Date) },
  ]);
  expect([await readStatus(jobId), await readStatus(other)]).toEqual(['archived', 'active']);

  world.github.uninstall(world.installationId);
  await reconcileInstallations(parts, signal);
  expect(await readStatus(other)).toBe('archived');
});

test('an installation that is missing from one list is not removed', async () => {
  const { job_id: jobId } = await acceptJob(parts, world.projectId);
  world.github.inject({ ...listInstallations, kind: 'answer', status: 200, body: [] });
  await reconcileInstallations(parts, signal);
  expect(await readStatus(jobId)).toBe('active');
});

test('an installation that cannot be read is logged and blocks no other', async () => {
  const { github, installationId } = world;
  await github.addRepository({ owner: 'other', name: 'guides', files: {} });
  github.install({ account: 'other', repositories: 'all' });
  const path = new RegExp(`^/app/installations/${installationId}/access_tokens$`);
  const body = { message: 'acme does not permit this' };
  const refusing = github.inject({ method: 'POST', path, kind: 'answer', status: 403, body });
  await reconcileInstallations(parts, signal);
  const told = lines.filter((line) => line.includes('could not reconcile with GitHub; the next round retries'));
  expect(told).toEqual([expect.stringContaining(`"installationId":${installationId}`)]);
  expect(refusing.hits()).toBe(1);
  expect(await readProjects('other')).toEqual([{ repo: 'guides', removed_at: null }]);
  expect(await readProjects('acme')).toEqual([{ repo: 'docs', removed_at: null }]);
});

test('an installation on an enterprise, which has a slug and no login, is stored', async () => {
  const enterprise = {
    id: 77,
    account: { id: 7, slug: 'acme-inc', name: 'Acme' },
    suspended_at: '2026-11-20T20:06:00Z',
  };
  const body = { ...enterprise, permissions: {} };
  world.github.inject({ ...readInstallationAlone, kind: 'answer', status: 200, body });
  const payload = { action: 'created', installation: enterprise, sender: { login: 'rita', id: 1, type: 'User' } };
  await storeDelivery(parts, { id: 'enterprise', name: 'installation', payload });
  await processDelivery(parts, 'enterprise', new AbortController().signal);
  expect(await readInstallation(77)).toMatchObject({ account: 'acme-inc' });
});

test('promise 8: webhooks are stored although GitHub does not answer at start', async () => {
  const asking = world.github.inject({ ...listInstallations, kind: 'hold-before', times: 3 });
  await using service = await startInWorld(world);
  await eventually(() => asking.hits() || undefined);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  const installationId = world.github.install({ account: 'other', repositories: 'all' });
  const stored = await eventually(() =>
    parts.database.selectFrom('deliveries').select(['event', 'fields']).executeTakeFirst(),
  );
  expect(stored).toMatchObject({ event: 'installation', fields: { installation: { id: installationId } } });
  asking.remove();
});

test('promise 14: a delivery that waits for GitHub does not block others', async () => {
  const { github } = world;
  await using service = await startInWorld(world);
  const { id } = await service.caller.create('Make it 100.');
  await service.caller.settled(id);
  await eventually(() => github.requests.find(({ path, done }) => done && listRepositories.path.test(path)));
  const slow = github.inject({ ...readInstallationAlone, kind: 'hold-before', times: 3 });
  github.install({ account: 'other', repositories: 'all' });
  await eventually(() => slow.hits() || undefined);
  await github.asPerson('rita').mergePullRequest('acme/docs', 1);
  await service.caller.until(id, ({ status }) => status === 'archived');
  slow.remove();
});

test('promise 4: a delivery that cannot be stored does not reach the log', async () => {
  await using service = await startInWorld(world);
  const body = JSON.stringify({
    action: 'created',
    installation: { id: 1 },
    repository: { id: 1, name: 'docs', owner: { login: 'acme' }, default_branch: 'main' },
    issue: { number: 1, pull_request: {} },
    sender: { login: 'rita', id: 1 },
    comment: {
      id: 1,
      body: 'words of a private repository',
      user: { login: 'rita', id: 1 },
      created_at: '2026-01-01T00:00:00Z',
    },
  });
  const signature = createHmac('sha256', world.environment.WEBHOOK_SECRET ?? '')
    .update(body)
    .digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-github-event': 'issue_comment',
    'x-github-delivery': randomUUID(),
    'x-hub-signature-256': `sha256=${signature}`,
  };
  await world.database.setReachable(false);
  const { status } = await fetch(`${service.url}/api/github/webhooks`, { method: 'POST', headers, body });
  await world.database.setReachable(true);
  expect(status).toBe(503);
  const told = service.lines.filter((line) => line.includes('a delivery could not be stored'));
  expect(told).toEqual([expect.stringContaining(headers['x-github-delivery'])]);
  expect(service.lines.join('')).not.toContain('private repository');
});
