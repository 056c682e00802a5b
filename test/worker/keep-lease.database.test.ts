import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject } from '../../harness/create-project.ts';
import { eventually } from '../../harness/eventually.ts';
import { HandedOver, LeaseLost, StopRequested } from '../../src/errors.ts';
import { archiveJob } from '../../src/jobs/archive-job.ts';
import { cancelJob } from '../../src/jobs/cancel-job.ts';
import { createSilentLog } from '../../src/log.ts';
import { releaseLease } from '../../src/store/schedule/lease.ts';
import { inTransaction } from '../../src/store/store.ts';
import { realTiming } from '../../src/timing.ts';
import { keepLease } from '../../src/worker/keep-lease.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';
import { acceptJob, beginWork } from '../support/databases/jobs.ts';

const log = createSilentLog();
let made: TestDatabase;
let projectId: string;
beforeAll(async () => {
  made = await createTestDatabase();
  ({ projectId } = await createProject(made.database));
});
afterAll(() => made[Symbol.asyncDispose]());

async function holdJob({ agoMs = 0 }: { agoMs?: number } = {}) {
  await acceptJob(made.store, projectId);
  const { lease } = await beginWork(made.store);
  const readUntil = async () => {
    const job = made.database.selectFrom('jobs').select('lease_until').where('job_id', '=', lease.jobId);
    return (await job.executeTakeFirstOrThrow()).lease_until?.getTime() ?? 0;
  };
  return {
    lease,
    readUntil,
    kept: keepLease({ database: made.database, lease, claimedAt: performance.now() - agoMs, log }),
  };
}

test('promise 3: the expiry of a lease counts from when its claim was sent, however late the answer arrives', async () => {
  const { kept } = await holdJob({ agoMs: realTiming.lease.durationMs - 200 });
  using _ = kept;
  const startedAt = performance.now();
  await once(kept.publish, 'abort');
  expect(performance.now() - startedAt).toBeLessThan(realTiming.lease.renewEveryMs);
});

test('each renewal extends the lease', async () => {
  const { kept, readUntil } = await holdJob();
  using _ = kept;
  const before = await readUntil();
  kept.renew();
  await eventually(async () => ((await readUntil()) > before ? true : undefined));
  expect(kept.work.aborted).toBe(false);
});

test('promise 3: the next renewal tells the holder of an archived job that its lease is lost', async () => {
  const { kept, lease } = await holdJob();
  using _ = kept;
  await inTransaction(made.store, (store) => archiveJob(store, lease.jobId, 'requested'));
  kept.renew();
  await once(kept.work, 'abort');
  expect(kept.work.reason).toBeInstanceOf(LeaseLost);
});

test('a renewal tells the holder of a cancelled run to stop', async () => {
  const { kept, lease } = await holdJob();
  using _ = kept;
  await cancelJob(made.store, lease.jobId);
  kept.renew();
  await once(kept.work, 'abort');
  expect(kept.work.reason).toBeInstanceOf(StopRequested);
});

test('a late renewal does not extend a released lease', async () => {
  const { kept, lease, readUntil } = await holdJob();
  using _ = kept;
  await releaseLease(made.database, lease, { delayMs: 3_600_000 });
  kept.renew();
  await once(kept.work, 'abort');
  expect(kept.work.reason).toBeInstanceOf(LeaseLost);
  expect(await readUntil()).toBe(0);
});

test('disposing a kept lease aborts its signals', async () => {
  const { kept } = await holdJob();
  kept[Symbol.dispose]();
  expect(kept.work.reason).toBeInstanceOf(LeaseLost);
});

const leaving = new HandedOver('the worker is stopping');

test('promise 16: a hand-over aborts the signal at once, and the grace signal when the grace ends', async () => {
  const { kept } = await holdJob();
  using _ = kept;
  kept.handOver(leaving, 50);
  expect(kept.work.reason).toBe(leaving);
  expect(kept.grace.aborted).toBe(false);
  await once(kept.grace, 'abort');
  expect(kept.grace.reason).toBe(leaving);
  expect(kept.publish.aborted).toBe(false);
});

test('a second hand-over does not extend the grace', async () => {
  const { kept } = await holdJob();
  using _ = kept;
  kept.handOver(leaving, 50);
  kept.handOver(new HandedOver('again'), 3_600_000);
  await once(kept.grace, 'abort');
  expect(kept.grace.reason).toBe(leaving);
});

test('cancelling a run during its hand-over ends the grace as well', async () => {
  const { kept, lease } = await holdJob();
  using _ = kept;
  kept.handOver(leaving, 3_600_000);
  await cancelJob(made.store, lease.jobId);
  kept.renew();
  await once(kept.grace, 'abort');
  expect(kept.grace.reason).toBeInstanceOf(StopRequested);
});
