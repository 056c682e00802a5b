import { afterAll, beforeAll, expect, test } from 'vitest';
import { giveUpDelivery } from '../../src/deliveries/process-delivery.ts';
import { storeDelivery } from '../../src/deliveries/store-delivery.ts';
import type { Queue } from '../../src/store/schedule/queue.ts';
import type { JobStatus } from '../../src/store/tables/columns.ts';
import { updateJob } from '../../src/store/tables/jobs/jobs.ts';
import { markDelivery } from '../../src/store/tables/repositories/deliveries.ts';
import { upsertInstallation } from '../../src/store/tables/repositories/installations.ts';
import { upsertProject } from '../../src/store/tables/repositories/projects.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';
import { makeJob } from '../support/databases/jobs.ts';

let made: TestDatabase;
beforeAll(async () => {
  made = await createTestDatabase();
  const { database, store } = made;
  await upsertInstallation(database, { installationId: 1, account: 'acme', suspendedAt: null });
  const repository = { repositoryId: 1, installationId: 1, owner: 'acme', repo: 'docs', defaultBranch: 'main' };
  const { project_id: projectId } = await upsertProject(database, repository);
  const { job_id: jobId } = await makeJob(store, projectId, 'completed');
  await updateJob(database, jobId, { branch: 'pagewright/x', pull_request_number: 7 });
});
afterAll(() => made[Symbol.asyncDispose]());

const payload = {
  action: 'closed',
  pull_request: {
    number: 7,
    state: 'closed',
    merged: true,
    updated_at: '2026-11-20T20:06:00Z',
    title: 'not needed',
    head: { ref: 'pagewright/x', repo: { id: 1 } },
    base: { ref: 'main', repo: { id: 1 } },
  },
  repository: { id: 1, name: 'docs', owner: { login: 'acme' }, default_branch: 'main', description: 'not needed' },
  sender: { login: 'rita', id: 5, type: 'User' },
};

/** A store that keeps what was put up for processing. */
function createStore() {
  const queued: string[] = [];
  const send: Queue['send'] = async (_tx, _name, entry) =>
    void queued.push('deliveryId' in entry ? entry.deliveryId : '');
  return { queued, store: { ...made.store, queue: { ...made.store.queue, send } } };
}

const find = (deliveryId: string) =>
  made.database.selectFrom('deliveries').selectAll().where('delivery_id', '=', deliveryId).executeTakeFirst();

test('a delivery is stored with the needed fields and queued', async () => {
  const { store, queued } = createStore();
  await storeDelivery(store, { id: 'first', name: 'pull_request', payload });
  const stored = await find('first');
  expect(stored).toMatchObject({ event: 'pull_request', action: 'closed', repository_id: 1, state: 'stored' });
  expect(JSON.stringify(stored?.fields)).not.toContain('not needed');
  expect(queued).toEqual(['first']);
});

test.each([
  [
    'about somebody else’s pull request',
    { pull_request: { ...payload.pull_request, number: 8, head: { ref: 'x', repo: { id: 1 } } } },
  ],
  ['of a repository that is no project', { repository: { ...payload.repository, id: 2 } }],
])('a delivery %s is accepted and not stored', async (name, other) => {
  const { store, queued } = createStore();
  await storeDelivery(store, { id: name, name: 'pull_request', payload: { ...payload, ...other } });
  expect([await find(name), queued]).toEqual([undefined, []]);
});

test.each<[string, JobStatus, boolean]>([
  ['may have opened the pull request of it', 'failed', true],
  ['is over', 'archived', false],
])('a comment is stored while a job that %s has none on record: %s, %s', async (_name, status, isStored) => {
  const repositoryId = isStored ? 21 : 22;
  const repository = { repositoryId, installationId: 1, owner: 'acme', repo: 'guides', defaultBranch: 'main' };
  const { project_id: projectId } = await upsertProject(made.database, repository);
  const { job_id: jobId } = await makeJob(made.store, projectId, status);
  await updateJob(made.database, jobId, { branch: 'pagewright/x' });
  const { sender } = payload;
  const comment = { id: 3, body: 'Hello', user: sender, created_at: '2026-11-20T20:06:00Z' };
  const about = { repository: { ...payload.repository, id: repositoryId }, issue: { number: 5, pull_request: {} } };
  await storeDelivery(made.store, {
    id: `of-${status}`,
    name: 'issue_comment',
    payload: { action: 'created', sender, comment, ...about },
  });
  expect((await find(`of-${status}`)) !== undefined).toBe(isStored);
});

test('promise 8: a delivery that arrives twice with one id is stored and queued once', async () => {
  const { store, queued } = createStore();
  await storeDelivery(store, { id: 'twice', name: 'pull_request', payload });
  await storeDelivery(store, { id: 'twice', name: 'pull_request', payload });
  expect(queued).toEqual(['twice']);
});

test('a delivery that was given up begins anew when GitHub redelivers it; one that means nothing does not', async () => {
  const { store, queued } = createStore();
  for (const id of ['given-up', 'ignored']) await storeDelivery(store, { id, name: 'pull_request', payload });
  const stored = await find('given-up');
  await giveUpDelivery(made.store, 'given-up');
  await markDelivery(made.database, 'ignored', { state: 'ignored', reason: 'no handler for this event' });
  for (const id of ['given-up', 'ignored']) await storeDelivery(store, { id, name: 'pull_request', payload });
  expect(queued).toEqual(['given-up', 'ignored', 'given-up']);
  expect(await find('given-up')).toEqual({ ...stored, received_at: expect.any(Date) });
  expect(await find('ignored')).toMatchObject({ state: 'ignored' });
});

test('a delivery that cannot be queued is not stored, so that GitHub can redeliver it', async () => {
  const send = () => Promise.reject(new Error('the queue is away'));
  const store = { ...made.store, queue: { ...made.store.queue, send } };
  await expect(storeDelivery(store, { id: 'unlucky', name: 'pull_request', payload })).rejects.toThrow('away');
  expect(await find('unlucky')).toBeUndefined();
});
