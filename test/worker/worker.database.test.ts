import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject } from '../../harness/create-project.ts';
import { eventually } from '../../harness/eventually.ts';
import { createLog } from '../../src/log.ts';
import { claimJob } from '../../src/store/schedule/claim-job.ts';
import { updateJob } from '../../src/store/tables/jobs/jobs.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';
import { acceptJob, runOutLease } from '../support/databases/jobs.ts';

let made: TestDatabase;
let projectId: string;
beforeAll(async () => {
  made = await createTestDatabase();
  ({ projectId } = await createProject(made.database));
});
afterAll(() => made[Symbol.asyncDispose]());

test('promise 17: when the database goes away as a job starts, the worker releases the job after the outage and no other worker takes it over', async () => {
  const { database, store } = made;
  const lines: string[] = [];
  const log = createLog({
    level: 'info',
    redact: (line) => line,
    destination: { write: (line) => void lines.push(line) },
  });
  const { job_id: jobId } = await acceptJob(store, projectId);
  const worker = createWorker({
    database,
    name: 'worker-1',
    concurrency: 1,
    async execute() {
      await made.setReachable(false);
      throw new Error('Connection terminated unexpectedly');
    },
    log,
  });
  worker.claimDueJobs();
  const readOwner = async () => {
    const job = database.selectFrom('jobs').select('lease_owner').where('job_id', '=', jobId);
    return (await job.executeTakeFirstOrThrow()).lease_owner;
  };
  await eventually(() => lines.find((line) => line.includes('could not renew a lease')));
  await made.setReachable(true);
  await eventually(async () => ((await readOwner()) === null ? true : undefined));
  await worker.stop();
  await updateJob(database, jobId, { due_at: new Date(0) });
  expect(await claimJob(database, 'worker-2')).toMatchObject({ jobId, isTakeover: false });
});

test('promise 17: a worker whose slots were full during an outage takes over no run right after it', async () => {
  const { database, store } = made;
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLog({ level: 'info', redact: (line) => line, destination });
  const { job_id: otherJobId } = await acceptJob(store, projectId);
  expect(await claimJob(database, 'worker-2')).toMatchObject({ jobId: otherJobId });
  const { job_id: ownJobId } = await acceptJob(store, projectId);
  const { promise: isDone, resolve: end } = Promise.withResolvers<void>();
  const claimed: unknown[] = [];
  const worker = createWorker({
    database,
    name: 'worker-1',
    concurrency: 1,
    async execute() {
      await isDone;
      await updateJob(database, ownJobId, { due_at: null, lease_owner: null, lease_until: null });
    },
    async takeStep(_at, take) {
      const taken = await take();
      claimed.push(taken);
      return taken;
    },
    log,
  });
  worker.claimDueJobs();
  await eventually(() => claimed[0]);
  await made.setReachable(false);
  await eventually(() => lines.find((line) => line.includes('could not renew a lease')));
  await made.setReachable(true);
  await runOutLease(store, otherJobId);
  end();
  await eventually(() => claimed.length > 1 || undefined);
  await worker.stop();
  expect(claimed.slice(0, 2)).toMatchObject([{ lease: { jobId: ownJobId } }, undefined]);
});
