import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createProject } from '../../../harness/create-project.ts';
import { sendDueAutomations } from '../../../src/automations/run-due.ts';
import { sendDueLooks } from '../../../src/checks/failing/look-at-checks.ts';
import { resendPullRequestChecks } from '../../../src/checks/pull-requests/check-pull-request.ts';
import { resendDeliveries } from '../../../src/deliveries/process-delivery.ts';
import { resendAnswers } from '../../../src/effects/give-answer.ts';
import { createSilentLog } from '../../../src/log.ts';
import { findEffect, intendEffect, markEffectDone } from '../../../src/store/tables/jobs/effects.ts';
import { makeLookDue } from '../../../src/store/tables/jobs/verdicts.ts';
import { findDelivery, insertDelivery, markDelivery } from '../../../src/store/tables/repositories/deliveries.ts';
import { insertPullRequestCheck } from '../../../src/store/tables/repositories/pull-request-checks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';
import { makeJob } from '../../support/databases/jobs.ts';

const log = createSilentLog();
const { signal } = new AbortController();
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3600_000);
let db: TestDatabase;
let jobId: string;

beforeAll(async () => {
  db = await createTestDatabase({ queue: 'real' });
  const { projectId } = await createProject(db.database);
  ({ job_id: jobId } = await makeJob(db.store, projectId, 'completed'));
});
afterAll(() => db[Symbol.asyncDispose]());

/** The waiting entries of the queue. */
async function listEntries(name: 'delivery' | 'answer' | 'check' | 'look' | 'automation') {
  const { rows } = await sql<{ entry: string }>`
    select coalesce(data->>'deliveryId', data->>'key', data->>'sha', data->>'name', data->>'jobId') as entry from pgboss.job
    where name = ${name} and state < 'active' order by entry`.execute(db.database);
  return rows.map(({ entry }) => entry);
}

test('promise 8: a stored delivery that the queue lost is queued again, and given up after three days', async () => {
  const store = (deliveryId: string, hours: number) =>
    insertDelivery(db.database, {
      delivery_id: deliveryId,
      event: 'push',
      action: null,
      repository_id: 1,
      fields: '{}',
      received_at: hoursAgo(hours),
    });
  await store('young', 1);
  await store('lost', 3);
  await store('done', 3);
  await markDelivery(db.database, 'done', { state: 'done' });
  for (const [deliveryId, hours] of [
    ['queued', 3],
    ['queued-long', 73],
  ] as const) {
    await store(deliveryId, hours);
    await db.store.queue.send(db.database, 'delivery', { deliveryId });
  }
  await store('lost-long', 73);

  await resendDeliveries({ ...db.store, log }, signal);
  await resendDeliveries({ ...db.store, log }, signal);
  expect(await listEntries('delivery')).toEqual(['lost', 'queued', 'queued-long']);
  expect(await findDelivery(db.database, 'lost-long')).toMatchObject({ state: 'ignored' });
  expect(await findDelivery(db.database, 'queued-long')).toMatchObject({ state: 'stored' });
});

test('a pending answer that the queue lost is queued again, and given up after three days', async () => {
  const intend = async (key: string, { hours, epoch = 0 }: { hours: number; epoch?: number }) => {
    await intendEffect(db.database, { jobId, key, epoch, request: {} });
    await db.database
      .updateTable('effects')
      .set({ intended_at: hoursAgo(hours) })
      .where('key', '=', key)
      .execute();
  };
  await intend('young', { hours: 1 });
  await intend('lost', { hours: 3 });
  await intend('of-a-run', { hours: 3, epoch: 2 });
  await intend('given', { hours: 3 });
  await markEffectDone(db.database, { jobId, key: 'given', response: {}, externalId: '7' });
  await intend('queued', { hours: 3 });
  await db.store.queue.send(db.database, 'answer', { jobId, key: 'queued' }, { delayMs: 60_000 });
  await intend('lost-long', { hours: 73 });

  await resendAnswers({ ...db.store, log }, signal);
  await resendAnswers({ ...db.store, log }, signal);
  expect(await listEntries('answer')).toEqual(['lost', 'queued']);
  expect(await findEffect(db.database, { jobId, key: 'lost-long' })).toMatchObject({ state: 'refused' });
  expect(await findEffect(db.database, { jobId, key: 'of-a-run' })).toMatchObject({ state: 'intended' });
});

test('an active entry does not count as lost, and a failed entry does', async () => {
  const { promise: isOver, reject } = Promise.withResolvers<never>();
  let tries = 0;
  await db.store.queue.work('delivery', {
    process: async ({ deliveryId }) => {
      if (deliveryId !== 'busy') return undefined;
      tries += 1;
      return isOver;
    },
    giveUp: async () => {},
  });
  await insertDelivery(db.database, {
    delivery_id: 'busy',
    event: 'push',
    action: null,
    repository_id: 1,
    fields: '{}',
    received_at: hoursAgo(3),
  });
  await db.store.queue.send(db.database, 'delivery', { deliveryId: 'busy' });
  await vi.waitFor(() => expect(tries).toBe(1), { timeout: 10_000, interval: 10 });
  const count = async () => {
    const { rows } = await sql`select from pgboss.job where data->>'deliveryId' = 'busy'`.execute(db.database);
    return rows.length;
  };
  await resendDeliveries({ ...db.store, log }, signal);
  expect(await count()).toBe(1);
  await sql`update pgboss.job set state = 'failed' where data->>'deliveryId' = 'busy'`.execute(db.database);
  await resendDeliveries({ ...db.store, log }, signal);
  expect(await count()).toBe(2);
  reject(new Error('too late'));
});

test('what is due is sent once, however often the sweep looks, and again after its tries have ended', async () => {
  const { database, store } = db;
  const [{ project_id: projectId } = { project_id: '' }] = await database.selectFrom('projects').selectAll().execute();
  const [late, lost] = ['a'.repeat(40), 'b'.repeat(40)];
  for (const [number, sha] of [late, lost].entries())
    await insertPullRequestCheck(database, { projectId, number: number + 1, sha, base: 'main' });
  await database
    .updateTable('pull_request_checks')
    .set({ requested_at: hoursAgo(1) })
    .execute();
  await store.queue.send(database, 'check', { projectId, number: 1, sha: late }, { delayMs: 600_000 });
  await makeLookDue(database, { jobId, sha: late, afterMs: 0 });
  await database
    .insertInto('automations')
    .values({ project_id: projectId, name: 'tidy', setting: '{}', due_at: hoursAgo(1), since: hoursAgo(2) })
    .execute();
  const sweep = async () => {
    await sendDueAutomations(store, signal);
    await sendDueLooks(store, signal);
    await resendPullRequestChecks(store, signal);
  };
  await sweep();
  await sweep();
  const queued = () => Promise.all((['check', 'look', 'automation'] as const).map(listEntries));
  expect(await queued()).toEqual([[late, lost], [jobId], ['tidy']]);
  await sql`update pgboss.job set state = 'failed' where name in ('check', 'look', 'automation')`.execute(database);
  await sweep();
  expect(await queued()).toEqual([[late, lost], [jobId], ['tidy']]);
});
