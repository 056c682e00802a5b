import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject } from '../../../harness/create-project.ts';
import { endRun } from '../../../src/jobs/end-run.ts';
import { createSilentLog } from '../../../src/log.ts';
import { inLease } from '../../../src/store/schedule/lease.ts';
import { createQueue } from '../../../src/store/schedule/queue.ts';
import { hasChanges, insertChanges, insertImages } from '../../../src/store/tables/jobs/attachments.ts';
import { findKeptEvents, listEvents, recordEvents } from '../../../src/store/tables/jobs/events.ts';
import { listMessages } from '../../../src/store/tables/jobs/messages.ts';
import { listRuns, markRunEnded } from '../../../src/store/tables/jobs/runs.ts';
import { insertTurn, listTurns } from '../../../src/store/tables/jobs/turns.ts';
import { removeOldRows, removeOldTurns, sweeps } from '../../../src/store/tables/remove-old.ts';
import { insertDelivery } from '../../../src/store/tables/repositories/deliveries.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';
import { acceptJob, beginWork } from '../../support/databases/jobs.ts';

const { signal } = new AbortController();
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600_000);
const log = createSilentLog();
let db: TestDatabase;
let projectId: string;

beforeAll(async () => {
  db = await createTestDatabase({ queue: 'real' });
  ({ projectId } = await createProject(db.database));
});
afterAll(() => db[Symbol.asyncDispose]());

/** A run with this number of turns; null: the run is open. */
async function makeRun({ endedDaysAgo, turns = 2 }: { endedDaysAgo: number | null; turns?: number }) {
  const { job_id: jobId } = await acceptJob(db.store, projectId);
  const { run } = await beginWork(db.store);
  for (let turnIndex = 0; turnIndex < turns; turnIndex += 1) {
    await insertTurn(db.database, { runId: run.run_id, turnIndex, inputs: ['Told.'] });
  }
  if (endedDaysAgo !== null) {
    await markRunEnded(db.database, run.run_id, { outcome: 'completed', code: 'published', sentence: 'Done.' });
    await db.database
      .updateTable('runs')
      .set({ ended_at: daysAgo(endedDaysAgo) })
      .where('run_id', '=', run.run_id)
      .execute();
  }
  const count = async () => (await listTurns(db.database, run.run_id)).length;
  return { runId: run.run_id, count, told: async () => (await listRuns(db.database, jobId))[0]?.turns };
}

test('promise 28: turns of runs that ended long ago are removed, and their number is kept', async () => {
  const live = await makeRun({ endedDaysAgo: null });
  const young = await makeRun({ endedDaysAgo: 29 });
  const old = await makeRun({ endedDaysAgo: 31, turns: 3 });
  const empty = await makeRun({ endedDaysAgo: 31, turns: 0 });
  expect(await removeOldTurns(db.database, { days: 30, signal })).toBe(3);
  expect(await removeOldTurns(db.database, { days: 30, signal })).toBe(0);
  expect([await live.count(), await young.count(), await old.count()]).toEqual([2, 2, 0]);
  expect([await live.told(), await young.told(), await old.told(), await empty.told()]).toEqual([2, 2, 3, 0]);
  expect(await removeOldTurns(db.database, { days: 0, signal })).toBe(2);
  expect([await live.count(), await young.count()]).toEqual([2, 0]);
});

test('promises 28 and 33: events are removed with the turns, the oldest first', async () => {
  const { job_id: jobId } = await acceptJob(db.store, projectId);
  const { lease, run } = await beginWork(db.store);
  const end = { outcome: 'completed', code: 'published', sentence: 'Done.' } as const;
  await inLease(db.database, lease, (tx) => endRun({ tx, queue: db.store.queue }, run, end));
  const moveTo = async (days: number) => {
    await db.database
      .updateTable('runs')
      .set({ ended_at: daysAgo(days) })
      .where('job_id', '=', jobId)
      .execute();
    await db.database
      .updateTable('events')
      .set({ at: daysAgo(days + 1 / 24) })
      .where('job_id', '=', jobId)
      .execute();
  };
  const listSeqs = async () => (await listEvents(db.database, { jobId, after: 0, limit: 100 })).map(({ seq }) => seq);
  await moveTo(29);
  await removeOldTurns(db.database, { days: 30, signal });
  expect(await listSeqs()).toEqual([1, 2, 3, 4, 5]);
  await moveTo(31);
  await recordEvents(db.database, jobId, [{ type: 'job.archived', data: { reason: 'merged' } }]);
  await removeOldTurns(db.database, { days: 30, signal });
  expect(await listSeqs()).toEqual([6]);
  expect(await findKeptEvents(db.database, jobId)).toEqual({ first: 6, next: 7 });
});

test('promise 28: concurrent processes remove several batches, skip locked rows and remove nothing twice', async () => {
  const locked = await makeRun({ endedDaysAgo: 40 });
  await makeRun({ endedDaysAgo: 40 });
  await sql`
    insert into runs (run_id, job_id, number, phase, outcome, code, ended_at)
    select 'run_many_' || n, (select job_id from runs limit 1), 100 + n, 'ended', 'completed', 'published',
      now() - interval '40 days' from generate_series(1, 130) n`.execute(db.database);
  await sql`insert into turns (run_id, turn_index, inputs) select 'run_many_' || n, 0, '[]' from generate_series(1, 130) n`.execute(
    db.database,
  );
  await db.database.transaction().execute(async (tx) => {
    await tx.selectFrom('runs').select('run_id').where('run_id', '=', locked.runId).forUpdate().execute();
    const sweeps = Array.from({ length: 4 }, () => removeOldTurns(db.database, { days: 30, signal }));
    const removed = (await Promise.all(sweeps)).reduce((sum, one) => sum + one, 0);
    expect(removed).toBe(130 + 2);
  });
  expect(await removeOldTurns(db.database, { days: 30, signal })).toBe(2);
});

test('promise 8: a delivery is kept until GitHub can no longer redeliver it, and an unprocessed delivery is kept for ever', async () => {
  const make = (deliveryId: string, state: 'stored' | 'done' | 'ignored', processedDaysAgo: number | null) =>
    insertDelivery(db.database, {
      delivery_id: deliveryId,
      event: 'push',
      fields: '{}',
      state,
      received_at: daysAgo(90),
      processed_at: processedDaysAgo === null ? null : daysAgo(processedDaysAgo),
    });
  await make('waiting', 'stored', null);
  await make('young', 'done', 3.9);
  await make('done', 'done', 4.1);
  await make('ignored', 'ignored', 30);
  await sql`insert into deliveries (delivery_id, event, fields, state, processed_at)
    select 'many-' || n, 'push', '{}', 'done', now() - interval '9 days' from generate_series(1, 2500) n`.execute(
    db.database,
  );
  const both = [1, 2].map(() => removeOldRows(db.database, 'deliveries', { days: 4, signal }));
  expect((await Promise.all(both)).reduce((sum, one) => sum + one, 0)).toBe(2502);
  const left = await db.database.selectFrom('deliveries').select('delivery_id').orderBy('delivery_id').execute();
  expect(left.map(({ delivery_id }) => delivery_id)).toEqual(['waiting', 'young']);
  expect(await make('young', 'stored', null)).toBe(false);
});

test('promise 28: deliveries of webhooks are kept as long, and go with a webhook that is removed', async () => {
  const make = async (webhookId: string, removedDaysAgo: number | null) => {
    const removed_at = removedDaysAgo === null ? null : daysAgo(removedDaysAgo);
    const row = { webhook_id: webhookId, project_id: projectId, url: 'https://a.example', events: '[]', removed_at };
    await db.database
      .insertInto('webhooks')
      .values({ ...row, secret: Buffer.alloc(1) })
      .execute();
    const deliveries = [
      { delivery_id: `${webhookId}_old`, state: 'delivered' as const, finished_at: daysAgo(31) },
      { delivery_id: `${webhookId}_young`, state: 'failed' as const, finished_at: daysAgo(29) },
      { delivery_id: `${webhookId}_waiting`, at: daysAgo(40) },
    ];
    const values = deliveries.map((delivery) => ({
      webhook_id: webhookId,
      type: 'job.completed' as const,
      ...delivery,
    }));
    await db.database.insertInto('webhook_deliveries').values(values).execute();
  };
  await make('whk_here', null);
  await make('whk_gone', 1);
  await make('whk_off', null);
  await db.database
    .updateTable('webhooks')
    .set({ disabled_at: daysAgo(1) })
    .where('webhook_id', '=', 'whk_off')
    .execute();
  expect(await removeOldRows(db.database, 'webhookDeliveries', { days: 30, signal })).toBe(6);
  for (const sweep of sweeps) await sweep.execute(db.database);
  const left = await db.database.selectFrom('webhook_deliveries').select('delivery_id').orderBy('seq').execute();
  expect(left.map((delivery) => delivery.delivery_id)).toEqual(['whk_here_young', 'whk_here_waiting', 'whk_off_young']);
  const webhooks = await db.database.selectFrom('webhooks').select('webhook_id').orderBy('webhook_id').execute();
  expect(webhooks.map((webhook) => webhook.webhook_id)).toEqual(['whk_here', 'whk_off']);
});

test('a check of a pull request that is not possible is given up after three days', async () => {
  const ago = (days: number) => new Date(Date.now() - days * 24 * 3600_000);
  const make = (number: number, requestedAt: Date, finishedAt: Date | null = null) => ({
    ...{ project_id: projectId, number, sha: 'a', base: 'main' },
    ...{
      requested_at: requestedAt,
      finished_at: finishedAt,
      state: finishedAt ? ('done' as const) : ('waiting' as const),
    },
  });
  const rows = [make(1, ago(4)), make(2, ago(2)), make(3, ago(4), ago(4)), make(4, ago(500), ago(401))];
  await db.database.insertInto('pull_request_checks').values(rows).execute();
  for (const sweep of sweeps) await sweep.execute(db.database);
  const left = await db.database.selectFrom('pull_request_checks').select('number').orderBy('number').execute();
  expect(left.map(({ number }) => number)).toEqual([2, 3]);
});

test('an abort ends the removal after the current batch', async () => {
  const stopping = AbortSignal.abort(new Error('stopped'));
  await expect(removeOldTurns(db.database, { days: 0, signal: stopping })).rejects.toThrow('stopped');
});

test('promise 28: ended queue entries are kept for the configured days, also in queues of an older version', async () => {
  await sql`update pgboss.queue set deletion_seconds = 604800`.execute(db.database);
  const queue = createQueue({ connection: db.connection, log, retentionDays: 3 });
  await queue.start();
  await queue.stop();
  const { rows } = await sql<{ name: string; seconds: number }>`
    select name, deletion_seconds as seconds from pgboss.queue order by name`.execute(db.database);
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter(({ seconds }) => seconds > 3 * 24 * 3600)).toEqual([]);
  expect(rows).toContainEqual({ name: 'delivery', seconds: 3 * 24 * 3600 });
  expect(rows).toContainEqual({ name: 'webhook', seconds: 60 });
});

test('promise 28: pull requests that went with old messages are removed, and those of messages that wait are kept', async () => {
  const change = { kind: 'unread', reference: 'acme/api#1', problem: 'Not there.' } as const;
  const add = async (state: 'waiting' | 'answered', createdDaysAgo: number) => {
    const { job_id: jobId } = await acceptJob(db.store, projectId);
    const [message] = await listMessages(db.database, jobId);
    const messageId = message?.message_id ?? '';
    await insertChanges(db.database, messageId, [change, change]);
    const values = { state, created_at: daysAgo(createdDaysAgo) };
    await db.database.updateTable('messages').set(values).where('message_id', '=', messageId).execute();
    return () => hasChanges(db.database, messageId);
  };
  const all = [await add('answered', 31), await add('answered', 29), await add('waiting', 31)];
  expect(await removeOldRows(db.database, 'changes', { days: 30, signal })).toBe(2);
  expect(await Promise.all(all.map((has) => has()))).toEqual([false, true, true]);
});

test('what automations passed over is removed after a while; what waits or was taken up stays', async () => {
  const insert = (key: string, state: 'waiting' | 'taken' | 'passed', finishedAt: Date | null) =>
    db.database
      .insertInto('occasions')
      .values({
        project_id: projectId,
        automation: 'follow',
        key,
        subject: JSON.stringify({ kind: 'request', title: key }),
        state,
        occurred_at: daysAgo(40),
        finished_at: finishedAt,
      })
      .execute();
  await insert('waiting', 'waiting', null);
  await insert('taken', 'taken', daysAgo(31));
  await insert('young', 'passed', daysAgo(29));
  await insert('old', 'passed', daysAgo(31));
  expect(await removeOldRows(db.database, 'passedOccasions', { days: 30, signal })).toBe(1);
  const left = await db.database.selectFrom('occasions').select('key').orderBy('key').execute();
  expect(left.map(({ key }) => key)).toEqual(['taken', 'waiting', 'young']);
});

test('promise 28: the bytes of an image go with the next round after its message is done, and what is known of it stays', async () => {
  const add = async (state: 'waiting' | 'answered') => {
    const { job_id: jobId } = await acceptJob(db.store, projectId);
    const [message] = await listMessages(db.database, jobId);
    const messageId = message?.message_id ?? '';
    await insertImages(db.database, messageId, [{ mediaType: 'image/png', content: Buffer.from('png') }]);
    await db.database.updateTable('messages').set({ state }).where('message_id', '=', messageId).execute();
    return () => db.database.selectFrom('message_images').selectAll().where('message_id', '=', messageId).execute();
  };
  const [done, waiting] = [await add('answered'), await add('waiting')];
  expect(await removeOldRows(db.database, 'images', { days: 30, signal })).toBe(1);
  expect([await done(), await waiting()]).toMatchObject([
    [{ media_type: 'image/png', content: null, problem: null }],
    [{ content: Buffer.from('png') }],
  ]);
});
