import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject } from '../../../harness/create-project.ts';
import { createSilentLog } from '../../../src/log.ts';
import { beginRun } from '../../../src/runs/execute-run.ts';
import { createDatabase, type Database } from '../../../src/store/postgres/database.ts';
import { claimJob, lockClaims } from '../../../src/store/schedule/claim-job.ts';
import { releaseLease } from '../../../src/store/schedule/lease.ts';
import { updateJob } from '../../../src/store/tables/jobs/jobs.ts';
import { countRunActivity, type Run, updateRun } from '../../../src/store/tables/jobs/runs.ts';
import { blockInstallation, upsertInstallation } from '../../../src/store/tables/repositories/installations.ts';
import { acceptJob, beginWork, claimDue, runOutLease } from '../../support/databases/jobs.ts';
import { setUpProject } from '../../support/databases/set-up-project.ts';

const db = setUpProject();
const log = createSilentLog();

const claim = (worker?: string) => claimDue(db, worker);
const runOut = (jobId: string) => runOutLease(db, jobId);
const setDue = (jobId: string, secondsAgo: number) =>
  updateJob(db.database, jobId, { due_at: sql<Date>`now() - ${secondsAgo} * interval '1 second'` });

/** As if a job of the project had just been claimed. */
const noteClaim = (id: string) => {
  const claimed = { claimed_at: sql<Date>`clock_timestamp()` };
  return db.database
    .insertInto('claims')
    .values({ project_id: id, ...claimed })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(claimed))
    .execute();
};

test('promise 3: if 20 workers claim one job concurrently, one of them gets it', async () => {
  const { job_id: jobId } = await acceptJob(db.store, db.projectId);
  const leases = await Promise.all(Array.from({ length: 20 }, (_, index) => claimJob(db.database, `worker-${index}`)));
  expect(leases.filter((lease) => lease !== undefined)).toMatchObject([
    { jobId, projectId: db.projectId, epoch: 1, isTakeover: false },
  ]);
});

test.each([0, 1])(
  'with a limit of %i, a claim after its plan was lost, as behind a pooler, gets the job',
  async (limit) => {
    await using database = createDatabase({ connection: db.connection, log, max: 1 });
    const options = { projectConcurrency: limit };
    expect(await claimJob(database, 'worker-1', options)).toBeUndefined();
    await sql`deallocate all`.execute(database);
    const { job_id: jobId } = await acceptJob(db.store, db.projectId);
    expect(await claimJob(database, 'worker-1', options)).toMatchObject({ jobId });
  },
);

test('promise 3: if 20 workers claim 20 jobs concurrently, no two get the same job', async () => {
  for (let count = 0; count < 20; count += 1) await acceptJob(db.store, db.projectId);
  const leases = await Promise.all(Array.from({ length: 20 }, (_, index) => claimJob(db.database, `worker-${index}`)));
  const jobIds = leases.flatMap((lease) => (lease ? [lease.jobId] : []));
  expect(jobIds.length).toBeGreaterThan(0);
  expect(new Set(jobIds).size).toBe(jobIds.length);
});

test('promise 25: the project with the fewest live leases goes first, then the job that is due longest', async () => {
  await db.database.deleteFrom('claims').execute();
  const { projectId: other } = await createProject(db.database, { repositoryId: 2, repo: 'other' });
  const backlog = await Promise.all(Array.from({ length: 3 }, () => acceptJob(db.store, db.projectId)));
  const late = await acceptJob(db.store, other);
  for (const [index, { job_id: jobId }] of backlog.entries()) await setDue(jobId, 100 - index);
  await setDue(late.job_id, 1);

  const order = [await claim(), await claim(), await claim(), await claim()].map(({ jobId }) => jobId);
  expect(order).toEqual([backlog[0]?.job_id, late.job_id, backlog[1]?.job_id, backlog[2]?.job_id]);
});

test('promise 25: an expired lease does not count', async () => {
  const { projectId: other } = await createProject(db.database, { repositoryId: 3, repo: 'third' });
  const [crashed, first] = [await acceptJob(db.store, db.projectId), await acceptJob(db.store, db.projectId)];
  await setDue(crashed.job_id, 50);
  await claim();
  await runOut(crashed.job_id);
  await setDue(crashed.job_id, 0);
  await setDue(first.job_id, 30);
  await noteClaim(other);
  const second = await acceptJob(db.store, other);
  await setDue(second.job_id, 40);
  expect(await claim()).toMatchObject({ jobId: first.job_id });
});

test('promise 25: of projects with equally many leases, the project with the oldest claim goes first', async () => {
  const { projectId: other } = await createProject(db.database, { repositoryId: 5, repo: 'fifth' });
  const { projectId: third } = await createProject(db.database, { repositoryId: 6, repo: 'sixth' });
  for (const [index, id] of [db.projectId, db.projectId, db.projectId, other, other, third].entries()) {
    const { job_id: jobId } = await acceptJob(db.store, id);
    await setDue(jobId, 100 - index);
  }
  await db.database.deleteFrom('claims').execute();
  const served: string[] = [];
  // One slot: no project has a lease at the next claim.
  for (let count = 0; count < 6; count += 1) {
    const lease = await claim();
    served.push(lease.projectId);
    await updateJob(db.database, lease.jobId, { due_at: null, lease_owner: null, lease_until: null });
  }
  expect(served).toEqual([db.projectId, other, third, db.projectId, other, db.projectId]);
});

test('a process that is frozen during a claim does not block other jobs of the project', async () => {
  await noteClaim(db.projectId);
  const { job_id: jobId } = await acceptJob(db.store, db.projectId);
  await db.database.transaction().execute(async (frozen) => {
    await frozen.updateTable('claims').set({ claimed_at: new Date() }).where('project_id', '=', db.projectId).execute();
    expect(await claim()).toMatchObject({ jobId });
  });
});

test('promise 21: jobs of a blocked or suspended installation wait', async () => {
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

test('a run to stop is claimed although its installation is suspended', async () => {
  const { projectId: suspended } = await createProject(db.database, { repositoryId: 10, repo: 'suspended' });
  await acceptJob(db.store, suspended);
  const { lease, run } = await beginWork(db.store);
  await upsertInstallation(db.database, { installationId: 1010, account: 'acme', suspendedAt: new Date() });
  await releaseLease(db.database, lease, { delayMs: 0 });
  expect(await claimJob(db.database, 'worker-1')).toBeUndefined();
  await updateRun(db.database, run.run_id, { stop_requested: true });
  expect(await claim()).toMatchObject({ jobId: lease.jobId });
});

test('promise 16: a run that was handed over continues before the backlog of its project', async () => {
  const { job_id: jobId } = await acceptJob(db.store, db.projectId);
  const { lease } = await beginWork(db.store);
  const { job_id: waiting } = await acceptJob(db.store, db.projectId);
  await setDue(waiting, 100);
  await releaseLease(db.database, lease, { delayMs: 0 });
  expect(await claim()).toMatchObject({ jobId, isTakeover: false });
  expect(await claim()).toMatchObject({ jobId: waiting });
});

test('promise 10: a run that kills its workers ends, and no other run ends with it', async () => {
  const [innocent, deadly] = [await acceptJob(db.store, db.projectId), await acceptJob(db.store, db.projectId)];
  await beginWork(db.store);
  await beginWork(db.store);
  const live = new Set<string>([innocent.job_id, deadly.job_id]);
  /** A worker claims jobs until it has the deadly one; its other runs have no time to progress. */
  async function work(owner: string): Promise<void> {
    for (;;) {
      const held: Run[] = [];
      for (let lease = await claimJob(db.database, owner); lease; lease = await claimJob(db.database, owner)) {
        const begun = await beginRun(db.store, lease);
        if (begun.kind === 'begun') held.push(begun.run);
        else live.delete(lease.jobId);
      }
      if (held.length === 0 || held.some((run) => run.job_id === deadly.job_id)) return;
      const answer = { tokensIn: 1, tokensOut: 1, tokensCached: 0 };
      for (const { run_id: runId } of held) await countRunActivity(db.database, runId, { activeMs: 1, answer });
    }
  }
  for (let life = 0; life < 5; life += 1) {
    for (const jobId of live) await runOut(jobId);
    await work(`worker of life ${life}`);
  }
  expect([...live]).toEqual([innocent.job_id]);
});

describe('with a limit for each project', () => {
  let pool: Database;
  beforeAll(() => {
    // As many concurrent claims as connections.
    pool = createDatabase({
      connection: db.connection,
      log: createSilentLog(),
      max: 20,
    });
  });
  afterAll(() => pool.destroy());

  let claimers = 0;
  const claimAtOnce = async (count: number, projectConcurrency: number) => {
    const claim = () => claimJob(pool, `worker-${claimers++}`, { projectConcurrency });
    return (await Promise.all(Array.from({ length: count }, claim))).filter((lease) => lease !== undefined);
  };

  test.each([1, 3])(
    'promise 25: 20 concurrent claims get the %i jobs that the project may run, and no more',
    async (limit) => {
      for (let count = 0; count < 20; count += 1) await acceptJob(db.store, db.projectId);
      expect(await claimAtOnce(20, limit)).toHaveLength(limit);
      expect(await claimAtOnce(20, limit)).toHaveLength(0);
    },
  );

  test('promise 25: 20 concurrent claims fill the limit of each project', async () => {
    const others = await Promise.all(
      [7, 8, 9].map((repositoryId) => createProject(db.database, { repositoryId, repo: `repo-${repositoryId}` })),
    );
    const projectIds = [db.projectId, ...others.map((other) => other.projectId)];
    for (const id of projectIds) for (let count = 0; count < 5; count += 1) await acceptJob(db.store, id);
    const leases = await claimAtOnce(20, 2);
    const counts = projectIds.map((id) => leases.filter((lease) => lease.projectId === id).length);
    expect(counts).toEqual([2, 2, 2, 2]);
  });

  test('promise 17: no job is taken over until the server has been up for the required time', async () => {
    const { job_id: jobId } = await acceptJob(db.store, db.projectId);
    expect(await claimJob(pool, 'lost')).toMatchObject({ jobId });
    await runOut(jobId);
    for (const projectConcurrency of [0, 1]) {
      expect(await claimJob(pool, 'next', { projectConcurrency, takeOverAfterMs: 1e15 })).toBeUndefined();
    }
    expect(await claimJob(pool, 'next', { takeOverAfterMs: 1 })).toMatchObject({ jobId, isTakeover: true });
    await runOut(jobId);
    // A worker that claims its own expired lease has not crashed.
    expect(await claimJob(pool, 'next')).toMatchObject({ jobId, isTakeover: false });
  });

  test('the next run of a project can start as soon as a lease is released', async () => {
    for (let count = 0; count < 2; count += 1) await acceptJob(db.store, db.projectId);
    const [lease] = await claimAtOnce(2, 1);
    if (!lease) throw new Error('no job is due');
    await releaseLease(db.database, lease, { delayMs: 60_000 });
    expect(await claimAtOnce(2, 1)).toHaveLength(1);
  });

  test('an expired lease counts until it is taken over, because its holder may renew it', async () => {
    const { job_id: jobId } = await acceptJob(db.store, db.projectId);
    const { job_id: waiting } = await acceptJob(db.store, db.projectId);
    await setDue(jobId, 20_000);
    const [frozen] = await claimAtOnce(1, 1);
    await runOut(jobId);
    // The waiting job would be next.
    await setDue(waiting, 10_000);
    await setDue(jobId, 5);
    expect(frozen?.jobId).toBe(jobId);
    expect(await claimAtOnce(2, 1)).toMatchObject([{ jobId, isTakeover: true }]);
  });

  test('runs that started under a higher limit are taken over one after another', async () => {
    for (let count = 0; count < 3; count += 1) await acceptJob(db.store, db.projectId);
    for (const { jobId } of await claimAtOnce(3, 3)) await runOut(jobId);
    expect(await claimAtOnce(3, 1)).toHaveLength(1);
  });

  test('a claim in one project does not block claims in others', async () => {
    const { projectId: other } = await createProject(db.database, { repositoryId: 10, repo: 'tenth' });
    await noteClaim(other);
    await db.database.deleteFrom('claims').where('project_id', '=', db.projectId).execute();
    const { job_id: first } = await acceptJob(db.store, db.projectId);
    const { job_id: second } = await acceptJob(db.store, other);
    const waiting = await db.database.transaction().execute(async (frozen) => {
      await lockClaims(frozen, db.projectId, { isWaitedFor: false });
      expect(await claimAtOnce(1, 1)).toMatchObject([{ jobId: second }]);
      return { claim: claimAtOnce(1, 1) };
    });
    expect(await waiting.claim).toMatchObject([{ jobId: first }]);
  });
});
