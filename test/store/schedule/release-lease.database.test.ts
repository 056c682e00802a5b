import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { cancelJob } from '../../../src/jobs/cancel-job.ts';
import { claimJob } from '../../../src/store/schedule/claim-job.ts';
import { releaseLease } from '../../../src/store/schedule/lease.ts';
import { updateJob } from '../../../src/store/tables/jobs/jobs.ts';
import { updateRun } from '../../../src/store/tables/jobs/runs.ts';
import type { ColumnChange } from '../../../src/store/tables/schema.ts';
import { acceptJob, beginWork } from '../../support/databases/jobs.ts';
import { setUpProject } from '../../support/databases/set-up-project.ts';

const made = setUpProject();
const hour = 3_600_000;

/** A leased job whose run has this state. */
async function holdRun(state: ColumnChange<'runs'> = { phase: 'working' }) {
  const { database, store } = made;
  const { job_id: jobId } = await acceptJob(store, made.projectId);
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
  expect(await cancelJob(made.store, jobId)).toMatchObject({ status: 'active' });
  await releaseLease(made.database, lease, { delayMs: hour });
  expect(await claimJob(made.database, 'the next worker')).toMatchObject({ jobId, isTakeover: false });
});

test.each<[string, ColumnChange<'runs'>]>([
  ['no person asked to stop', { phase: 'working' }],
  ['publishes and can no longer be stopped', { phase: 'publishing', stop_requested: true }],
])('a run that %s waits for the delay of its release', async (_name, state) => {
  const { lease, readDelay } = await holdRun(state);
  await releaseLease(made.database, lease, { delayMs: hour });
  expect(await claimJob(made.database, 'the next worker')).toBeUndefined();
  expect(await readDelay()).toBeCloseTo(3_600, -1);
});

test('a release does not make a job due earlier', async () => {
  const { jobId, lease, readDelay } = await holdRun();
  await updateJob(made.database, jobId, { due_at: sql<Date>`now() + interval '2 hours'` });
  await releaseLease(made.database, lease, { delayMs: hour });
  expect(await readDelay()).toBeCloseTo(7_200, -1);
});

test('a release does not make an idle job due', async () => {
  const { jobId, lease } = await holdRun();
  await updateJob(made.database, jobId, { due_at: null });
  await releaseLease(made.database, lease, { delayMs: 0 });
  expect(await updateJob(made.database, jobId, { draft: false })).toMatchObject({ due_at: null });
});
