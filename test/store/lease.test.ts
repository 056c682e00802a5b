import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { LeaseLost } from '../../src/errors.ts';
import { blockInstallation, upsertInstallation } from '../../src/store/installations.ts';
import { updateJob } from '../../src/store/jobs.ts';
import { claimJob, giveBackLease, inLease, renewLease } from '../../src/store/lease.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { acceptJob } from '../support/jobs.ts';
import { createProject } from '../support/project.ts';

let db: TestDatabase;
let projectId: string;

beforeAll(async () => {
  db = await createTestDatabase();
  ({ projectId } = await createProject(db.database));
});

beforeEach(async () => {
  const idle = { due_at: null, lease_owner: null, lease_until: null };
  await db.database.updateTable('jobs').set(idle).execute();
});

afterAll(() => db[Symbol.asyncDispose]());

const claim = async (worker = 'worker-1') => {
  const lease = await claimJob(db.database, worker);
  if (!lease) throw new Error('no job is due');
  return lease;
};
const runOut = (jobId: string) =>
  updateJob(db.database, jobId, { lease_until: sql<Date>`now() - interval '1 second'` });
const setDue = (jobId: string, secondsAgo: number) =>
  updateJob(db.database, jobId, { due_at: sql<Date>`now() - ${secondsAgo} * interval '1 second'` });

test('promise 3: of 20 workers that claim one job at once, one gets it', async () => {
  const { job_id: jobId } = await acceptJob(db.store, projectId);
  const leases = await Promise.all(Array.from({ length: 20 }, (_, index) => claimJob(db.database, `worker-${index}`)));
  expect(leases.filter((lease) => lease !== undefined)).toMatchObject([
    { jobId, projectId, epoch: 1, isTakeover: false },
  ]);
});

test('promise 3: 20 workers that claim 20 jobs at once each get another one, or none', async () => {
  for (let count = 0; count < 20; count += 1) await acceptJob(db.store, projectId);
  const leases = await Promise.all(Array.from({ length: 20 }, (_, index) => claimJob(db.database, `worker-${index}`)));
  const jobIds = leases.flatMap((lease) => (lease ? [lease.jobId] : []));
  expect(jobIds.length).toBeGreaterThan(0);
  expect(new Set(jobIds).size).toBe(jobIds.length);
});

test('promise 3: whoever lost the job to a takeover can write nothing', async () => {
  const { job_id: jobId } = await acceptJob(db.store, projectId);
  const frozen = await claim('worker-1');
  await runOut(jobId);
  const taken = await claim('worker-2');
  expect(taken).toEqual({ jobId, projectId, epoch: frozen.epoch + 1, isTakeover: true });

  expect(await renewLease(db.database, frozen)).toEqual({ kind: 'lost' });
  let isReached = false;
  const write = inLease(db.database, frozen, async () => {
    isReached = true;
  });
  await expect(write).rejects.toBeInstanceOf(LeaseLost);
  expect(isReached).toBe(false);
  await giveBackLease(db.database, frozen, { delayMs: 0 });
  expect(await renewLease(db.database, taken)).toEqual({ kind: 'held', stopRequested: false });
});

test('promise 3: work in a lease that fails is undone', async () => {
  const { job_id: jobId } = await acceptJob(db.store, projectId);
  const lease = await claim();
  const write = inLease(db.database, lease, async (tx) => {
    await updateJob(tx, jobId, { base: 'other' });
    throw new Error('something broke');
  });
  await expect(write).rejects.toThrow('something broke');
  expect(await updateJob(db.database, jobId, { draft: false })).toMatchObject({ base: 'main' });
});

test('a lease that ran out but that nobody took is renewed', async () => {
  const { job_id: jobId } = await acceptJob(db.store, projectId);
  const lease = await claim();
  await runOut(jobId);
  expect(await renewLease(db.database, lease)).toEqual({ kind: 'held', stopRequested: false });
  expect(await claimJob(db.database, 'worker-2')).toBeUndefined();
});

test('a lease that was given back stays so, and the next worker takes over nothing', async () => {
  const { job_id: jobId } = await acceptJob(db.store, projectId);
  const lease = await claim();
  await giveBackLease(db.database, lease, { delayMs: 0 });
  expect(await renewLease(db.database, lease)).toEqual({ kind: 'lost' });
  await expect(inLease(db.database, lease, async () => {})).rejects.toBeInstanceOf(LeaseLost);
  expect(await claim('worker-2')).toMatchObject({ jobId, isTakeover: false });
});

test('a job given back until later is due then', async () => {
  const { job_id: jobId } = await acceptJob(db.store, projectId);
  const before = Date.now();
  await giveBackLease(db.database, await claim(), { delayMs: 60_000 });
  expect(await claimJob(db.database, 'worker-2')).toBeUndefined();
  const { due_at: dueAt } = await updateJob(db.database, jobId, { draft: false });
  expect(Number(dueAt) - before).toBeGreaterThanOrEqual(59_000);
});

test('promise 25: the project with the fewest live leases goes first, then the job that is due longest', async () => {
  const { projectId: other } = await createProject(db.database, { repositoryId: 2, repo: 'other' });
  const backlog = await Promise.all(Array.from({ length: 3 }, () => acceptJob(db.store, projectId)));
  const late = await acceptJob(db.store, other);
  for (const [index, { job_id: jobId }] of backlog.entries()) await setDue(jobId, 100 - index);
  await setDue(late.job_id, 1);

  const order = [await claim(), await claim(), await claim(), await claim()].map(({ jobId }) => jobId);
  expect(order).toEqual([backlog[0]?.job_id, late.job_id, backlog[1]?.job_id, backlog[2]?.job_id]);
});

test('promise 25: a lease that ran out counts for nothing', async () => {
  const { projectId: other } = await createProject(db.database, { repositoryId: 3, repo: 'third' });
  const [crashed, first] = [await acceptJob(db.store, projectId), await acceptJob(db.store, projectId)];
  const second = await acceptJob(db.store, other);
  await setDue(crashed.job_id, 50);
  await claim();
  await runOut(crashed.job_id);
  await setDue(crashed.job_id, 0);
  await setDue(first.job_id, 30);
  await setDue(second.job_id, 20);
  expect(await claim()).toMatchObject({ jobId: first.job_id });
});

test('promise 21: the jobs of an installation that GitHub blocks, or that is suspended, wait', async () => {
  const { projectId: blocked } = await createProject(db.database, { repositoryId: 4, repo: 'blocked' });
  const installationId = 1004;
  const { job_id: jobId } = await acceptJob(db.store, blocked);

  await blockInstallation(db.database, installationId, new Date(Date.now() + 60_000));
  await blockInstallation(db.database, installationId, new Date(Date.now() - 60_000));
  expect(await claimJob(db.database, 'worker-1')).toBeUndefined();
  await sql`update installations set blocked_until = now()`.execute(db.database);

  await upsertInstallation(db.database, { installationId, account: 'acme', suspendedAt: new Date() });
  expect(await claimJob(db.database, 'worker-1')).toBeUndefined();
  await upsertInstallation(db.database, { installationId, account: 'acme', suspendedAt: null });
  expect(await claim()).toMatchObject({ jobId });
});
