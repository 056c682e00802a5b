import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDeliveryContext, type DeliveryParts } from '../../../src/deliveries/delivery-context.ts';
import { pullRequest } from '../../../src/deliveries/handlers/pull-request.ts';
import { review } from '../../../src/deliveries/handlers/review.ts';
import { processDelivery } from '../../../src/deliveries/process-delivery.ts';
import { storeDelivery } from '../../../src/deliveries/store-delivery.ts';
import { archiveJob } from '../../../src/jobs/archive-job.ts';
import { inTransaction } from '../../../src/store/store.ts';
import type { JobStatus } from '../../../src/store/tables/columns.ts';
import { updateJob } from '../../../src/store/tables/jobs/jobs.ts';
import { findDelivery, insertDelivery } from '../../../src/store/tables/repositories/deliveries.ts';
import { makeJob } from '../../support/databases/jobs.ts';
import { createWorld, type World } from '../../support/worlds/world.ts';
import { createParts } from '../create-parts.ts';

const bot = 'pagewright-test[bot]';
const { signal } = new AbortController();
let world: World;
let parts: DeliveryParts;
beforeAll(async () => {
  world = await createWorld({ script: () => ({}) });
  parts = createParts(world);
});
afterAll(() => world[Symbol.asyncDispose]());

let lastNumber = 0;

/** A job with a pull request, and what a webhook about that says. */
async function makePullRequest(status: JobStatus, { number: known = true } = {}) {
  const { job_id: jobId } = await makeJob(parts, world.projectId, status);
  lastNumber += 1;
  const number = lastNumber;
  const branch = `pagewright/x-${number}`;
  await updateJob(parts.database, jobId, { branch, pull_request_number: known ? number : null });
  const tell = (told: {
    closed?: boolean;
    merged?: boolean;
    at?: string;
    by?: string;
    headRepository?: number | null;
    action?: string;
  }) => {
    const { closed = true, merged = false, at = '2026-11-20T20:06:00Z', by = 'rita' } = told;
    const { headRepository = world.repository.id } = told;
    const repo = headRepository === null ? null : { id: headRepository };
    return {
      action: told.action ?? (closed ? 'closed' : 'reopened'),
      repository: { id: world.repository.id, name: 'docs', owner: { login: 'acme' }, default_branch: 'main' },
      pull_request: {
        number,
        state: closed ? 'closed' : 'open',
        merged,
        updated_at: at,
        head: { ref: branch, repo },
        base: { ref: 'main', repo: { id: world.repository.id } },
      },
      sender: { login: by, id: 1, type: by === bot ? 'Bot' : 'User' },
    };
  };
  const find = () =>
    parts.database.selectFrom('jobs').selectAll().where('job_id', '=', jobId).executeTakeFirstOrThrow();
  return { jobId, tell, find };
}

/** Stores and processes a delivery, as the door and the queue do, and gives what became of it. */
async function deliver(payload: object, name = 'pull_request', id: string = randomUUID()) {
  await storeDelivery(parts, { id, name, payload });
  await processDelivery(parts, id, signal);
  const stored = parts.database.selectFrom('deliveries').selectAll().where('delivery_id', '=', id);
  return stored.executeTakeFirstOrThrow();
}

test.each<[string, JobStatus, object, JobStatus, string?]>([
  ['merged', 'completed', { merged: true }, 'archived', 'merged'],
  ['merged by ourselves', 'completed', { merged: true, by: bot }, 'archived', 'merged'],
  ['closed', 'completed', {}, 'archived', 'closed'],
  ['closed while its job is active', 'active', {}, 'archived', 'closed'],
  ['closed by ourselves', 'completed', { by: bot }, 'completed'],
  ['reopened', 'archived', { closed: false }, 'completed'],
  ['reopened while its job is active', 'active', { closed: false }, 'active'],
  ['reopened by ourselves when its job was archived meanwhile', 'archived', { closed: false, by: bot }, 'archived'],
])('a pull request that is %s', async (_name, before, told, after, reason) => {
  const made = await makePullRequest(before);
  await deliver(made.tell(told));
  expect(await made.find()).toMatchObject({ status: after, ...(reason && { archive_reason: reason }) });
});

test('a job is found by its branch until the number of its pull request is stored', async () => {
  const made = await makePullRequest('active', { number: false });
  await deliver(made.tell({}));
  expect((await made.find()).status).toBe('archived');
});

test.each<[string, object]>([
  ['of a fork, whose branch only has the same name,', { headRepository: 99 }],
  ['whose fork is gone', { headRepository: null }],
])('a pull request %s is none of ours, nor is a review of it', async (_name, told) => {
  const made = await makePullRequest('completed', { number: false });
  const written = { id: 3, body: 'Happier.', user: { login: 'rita', id: 1 }, submitted_at: '2026-11-20T20:06:00Z' };
  const received = { deliveryId: 'delivery-1', receivedAt: new Date(0), signal };
  const closed = pullRequest.parse(made.tell(told));
  const reviewed = review.parse({ ...made.tell({ ...told, action: 'submitted' }), review: written });
  const outcomes = [
    await pullRequest.handle(createDeliveryContext(parts, { ...received, fields: closed })),
    await review.handle(createDeliveryContext(parts, { ...received, fields: reviewed })),
  ];
  expect(outcomes).toEqual(['not a pull request of a job', 'not a pull request of a job']);
  expect(await made.find()).toMatchObject({ status: 'completed', pull_request_number: null });
});

const inOrder = [
  { action: 'closed', closed: true, at: '2126-11-20T20:06:01Z' },
  { action: 'reopened', closed: false, at: '2126-11-20T20:06:02Z' },
  { action: 'edited', closed: false, at: '2126-11-20T20:06:03Z' },
];
const orders = ['0 1 2', '0 2 1', '1 0 2', '1 2 0', '2 0 1', '2 1 0'];

test.each(orders)(
  'promise 8: a job that was archived by request is reopened in any order of deliveries: %s',
  async (order) => {
    const made = await makePullRequest('completed');
    await inTransaction(parts, (store) => archiveJob(store, made.jobId, 'requested'));
    for (const place of order.split(' ')) await deliver(made.tell(inOrder[Number(place)] ?? {}));
    expect((await made.find()).status).toBe('completed');
  },
);

test.each(orders)('promise 8: events older than the request do not reopen it, in any order: %s', async (order) => {
  const made = await makePullRequest('completed');
  await inTransaction(parts, (store) => archiveJob(store, made.jobId, 'requested'));
  await updateJob(parts.database, made.jobId, { archived_at: '2126-11-20T20:06:02.5Z' });
  const told = inOrder.map((event) => ({ ...event, closed: false, ...(event.closed && { action: 'edited' }) }));
  // What is still in time decides by its own order.
  const late = [told[2], ...order.split(' ').map((place) => told[Number(place)])];
  for (const event of late) await deliver(made.tell(event ?? {}));
  expect((await made.find()).status).toBe('archived');
});

test('promise 8: an event older than the last one applied changes nothing', async () => {
  const made = await makePullRequest('archived');
  await deliver(made.tell({ closed: false, at: '2026-11-20T20:06:05Z' }));
  const late = await deliver(made.tell({ at: '2026-11-20T20:06:04Z' }));
  expect(late).toMatchObject({ state: 'ignored', reason: 'a newer event was already applied' });
  expect((await made.find()).status).toBe('completed');
});

test('promise 8: of two concurrent deliveries of the same second, only the first is applied', async () => {
  const made = await makePullRequest('completed');
  const [closed, reopened] = [made.tell({}), made.tell({ closed: false })].map((told) => pullRequest.parse(told));
  if (!closed || !reopened) throw new Error('there are two');
  const handle = async (fields: ReturnType<typeof pullRequest.parse>) => {
    const delivery = { deliveryId: 'delivery-1', fields, receivedAt: new Date(), signal };
    return pullRequest.handle(createDeliveryContext(parts, delivery));
  };
  const [applyClosed, applyReopened] = [await handle(closed), await handle(reopened)];
  if (typeof applyClosed !== 'function' || typeof applyReopened !== 'function') throw new Error('both mean something');
  await inTransaction(parts, applyReopened);
  await expect(inTransaction(parts, applyClosed)).rejects.toThrow('in the meantime');
  expect((await made.find()).status).toBe('completed');
});

test('promise 8: a delivery is processed once, however often it is retried', async () => {
  const made = await makePullRequest('completed');
  const id = randomUUID();
  await deliver(made.tell({}), 'pull_request', id);
  await updateJob(parts.database, made.jobId, { status: 'completed', archived_at: null, archive_reason: null });
  await Promise.all([processDelivery(parts, id, signal), processDelivery(parts, id, signal)]);
  await processDelivery(parts, 'unknown', signal);
  expect((await made.find()).status).toBe('completed');
});

test('an event that a newer version stored is ignored', async () => {
  await insertDelivery(parts.database, {
    delivery_id: 'newer',
    event: 'pull_request_of_the_future',
    action: 'closed',
    repository_id: world.repository.id,
    fields: '{}',
  });
  await processDelivery(parts, 'newer', signal);
  expect(await findDelivery(parts.database, 'newer')).toMatchObject({ reason: 'no handler for this event' });
});
