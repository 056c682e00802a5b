import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { LeaseLost } from '../../../src/errors.ts';
import { cancelJob } from '../../../src/jobs/cancel-job.ts';
import type { Tx } from '../../../src/store/postgres/database.ts';
import { claimJob } from '../../../src/store/schedule/claim-job.ts';
import { inLease, releaseLease, renewLease } from '../../../src/store/schedule/lease.ts';
import { updateJob } from '../../../src/store/tables/jobs/jobs.ts';
import { updateRun } from '../../../src/store/tables/jobs/runs.ts';
import type { ColumnChange } from '../../../src/store/tables/schema.ts';
import { acceptJob, beginWork, claimDue, runOutLease } from '../../support/databases/jobs.ts';
import { setUpProject } from '../../support/databases/set-up-project.ts';

const db = setUpProject();

const claim = (worker?: string) => claimDue(db, worker);
const runOut = (jobId: string) => runOutLease(db, jobId);

test('promise 3: a worker that lost its job to a takeover can write nothing', async () => {
  const { job_id: jobId } = await acceptJob(db.store, db.projectId);
  const frozen = await claim('worker-1');
  await runOut(jobId);
  const taken = await claim('worker-2');
  expect(taken).toMatchObject({ jobId, projectId: db.projectId, epoch: frozen.epoch + 1, isTakeover: true });

  expect(await renewLease(db.database, frozen)).toEqual({ kind: 'lost' });
  let isReached = false;
  const write = inLease(db.database, frozen, async () => {
    isReached = true;
  });
  await expect(write).rejects.toBeInstanceOf(LeaseLost);
  expect(isReached).toBe(false);
  await releaseLease(db.database, frozen, { delayMs: 0 });
  expect(await renewLease(db.database, taken)).toEqual({ kind: 'held', stopRequested: false });
});

test('promise 3: failed work in a lease is rolled back', async () => {
  const { job_id: jobId } = await acceptJob(db.store, db.projectId);
  const lease = await claim();
  const write = inLease(db.database, lease, async (tx) => {
    await updateJob(tx, jobId, { base: 'other' });
    throw new Error('something broke');
  });
  await expect(write).rejects.toThrow('something broke');
  expect(await updateJob(db.database, jobId, { draft: false })).toMatchObject({ base: 'main' });
});

test('promise 10: a holder that freezes or disappears during a write does not keep the job locked for long', async () => {
  await acceptJob(db.store, db.projectId);
  const lease = await claim();
  const read = async (tx: Tx) =>
    (await sql<{ bound: string }>`select current_setting('idle_in_transaction_session_timeout') as bound`.execute(tx))
      .rows[0]?.bound;
  expect(await inLease(db.database, lease, read)).toBe('5s');
});

test('an expired lease that nobody took over is renewed', async () => {
  const { job_id: jobId } = await acceptJob(db.store, db.projectId);
  const lease = await claim();
  await runOut(jobId);
  expect(await renewLease(db.database, lease)).toEqual({ kind: 'held', stopRequested: false });
  expect(await claimJob(db.database, 'worker-2')).toBeUndefined();
});

test('a released lease stays released, and the next claim is not a takeover', async () => {
  const { job_id: jobId } = await acceptJob(db.store, db.projectId);
  const lease = await claim();
  await releaseLease(db.database, lease, { delayMs: 0 });
  expect(await renewLease(db.database, lease)).toEqual({ kind: 'lost' });
  await expect(inLease(db.database, lease, async () => {})).rejects.toBeInstanceOf(LeaseLost);
  expect(await claim('worker-2')).toMatchObject({ jobId, isTakeover: false });
});

test('a job that is released with a delay is due after the delay', async () => {
  const { job_id: jobId } = await acceptJob(db.store, db.projectId);
  const before = Date.now();
  await releaseLease(db.database, await claim(), { delayMs: 60_000 });
  expect(await claimJob(db.database, 'worker-2')).toBeUndefined();
  const { due_at: dueAt } = await updateJob(db.database, jobId, { draft: false });
  expect(Number(dueAt) - before).toBeGreaterThanOrEqual(59_000);
});

const hour = 3_600_000;

/** A leased job whose run has this state. */
async function holdRun(state: ColumnChange<'runs'> = { phase: 'working' }) {
  const { database, store } = db;
  const { job_id: jobId } = await acceptJob(store, db.projectId);
  const { lease, run } = await beginWork(store);
  await updateRun(database, run.run_id, state);
  /** Seconds until the job is due. */
  const readDelay = async () => {
    const due = sql<number>`extract(epoch from due_at - now())::float8`.as('seconds');
    const job = database.selectFrom('jobs').select(due).where('job_id', '=', jobId);
    return (await job.executeTakeFirstOrThrow()).seconds;
  };
  return { jobId, lease, readDelay };
}

test('a run that is cancelled before it waits is due at once, so that it ends', async () => {
  const { jobId, lease } = await holdRun();
  expect(await cancelJob(db.store, jobId)).toMatchObject({ status: 'active' });
  await releaseLease(db.database, lease, { delayMs: hour });
  expect(await claimJob(db.database, 'the next worker')).toMatchObject({ jobId, isTakeover: false });
});

test.each<[string, ColumnChange<'runs'>]>([
  ['no person asked to stop', { phase: 'working' }],
  ['publishes and can no longer be stopped', { phase: 'publishing', stop_requested: true }],
])('a run that %s waits for the delay of its release', async (_name, state) => {
  const { lease, readDelay } = await holdRun(state);
  await releaseLease(db.database, lease, { delayMs: hour });
  expect(await claimJob(db.database, 'the next worker')).toBeUndefined();
  expect(await readDelay()).toBeCloseTo(3_600, -1);
});

test('a release does not make a job due earlier', async () => {
  const { jobId, lease, readDelay } = await holdRun();
  await updateJob(db.database, jobId, { due_at: sql<Date>`now() + interval '2 hours'` });
  await releaseLease(db.database, lease, { delayMs: hour });
  expect(await readDelay()).toBeCloseTo(7_200, -1);
});

test('a release does not make an idle job due', async () => {
  const { jobId, lease } = await holdRun();
  await updateJob(db.database, jobId, { due_at: null });
  await releaseLease(db.database, lease, { delayMs: 0 });
  expect(await updateJob(db.database, jobId, { draft: false })).toMatchObject({ due_at: null });
});
