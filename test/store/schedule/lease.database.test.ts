import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { LeaseLost } from '../../../src/errors.ts';
import type { Tx } from '../../../src/store/postgres/database.ts';
import { claimJob } from '../../../src/store/schedule/claim-job.ts';
import { inLease, releaseLease, renewLease } from '../../../src/store/schedule/lease.ts';
import { updateJob } from '../../../src/store/tables/jobs/jobs.ts';
import { acceptJob, claimDue, runOutLease } from '../../support/databases/jobs.ts';
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
