import { sql } from 'kysely';
import pg from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { createProject } from '../../../harness/create-project.ts';
import { eventually } from '../../../harness/eventually.ts';
import { claimJob, type Yielding } from '../../../src/store/schedule/claim-job.ts';
import { notePresence, removePresence, wakeUpChannel } from '../../../src/store/schedule/workers.ts';
import { updateJob } from '../../../src/store/tables/jobs/jobs.ts';
import { realTiming } from '../../../src/timing.ts';
import { acceptJob } from '../../support/databases/jobs.ts';
import { setUpProject } from '../../support/databases/set-up-project.ts';

const db = setUpProject();
const forMs = 1_000;

const claimFrom = (
  worker: string,
  { projectConcurrency = 0, ...yielding }: Partial<Yielding> & { projectConcurrency?: number } = {},
) =>
  claimJob(db.database, worker, {
    projectConcurrency,
    yielding: { repositoryIds: [], forMs, isLastSlot: false, ...yielding },
  });

const accept = async (projectId = db.projectId) => (await acceptJob(db.store, projectId)).job_id;
const setDue = (jobId: string, secondsAgo: number) =>
  updateJob(db.database, jobId, { due_at: sql<Date>`now() - ${secondsAgo} * interval '1 second'` });

/** As if the worker had run a job of the project, and nobody else. */
beforeEach(async () => {
  await db.database.deleteFrom('claims').execute();
  await db.database.deleteFrom('workers').execute();
  await notePresence(db.database, { name: 'holder', slots: 1 });
  const jobId = await accept();
  expect(await claimFrom('holder')).toMatchObject({ jobId });
  await updateJob(db.database, jobId, { due_at: null, lease_owner: null, lease_until: null });
});

test.each([0, 5])(
  'a young job is left to the worker that ran its project last (limit of a project: %i)',
  async (limit) => {
    const jobId = await accept();
    expect(await claimFrom('stranger', { projectConcurrency: limit })).toBeUndefined();
    expect(await claimFrom('holder', { projectConcurrency: limit })).toMatchObject({ jobId });
  },
);

test('promise 25: no job waits for its worker for longer than a second, and any worker finds it a second later', async () => {
  const jobId = await accept();
  await setDue(jobId, 0.9);
  expect(await claimFrom('stranger')).toBeUndefined();
  await setDue(jobId, 1);
  expect(await claimFrom('stranger')).toMatchObject({ jobId });
  const { yieldForMs, lookEveryMs } = realTiming.claims;
  expect(yieldForMs + lookEveryMs).toBeLessThanOrEqual(2_000);
});

test.each<{ name: string; before: (jobId: string) => Promise<unknown> }>([
  { name: 'has stopped', before: () => removePresence(db.database, 'holder') },
  {
    name: 'was not seen for three seconds',
    before: () => sql`update workers set seen_at = now() - interval '3 seconds'`.execute(db.database),
  },
  {
    name: 'has no free slot',
    before: async (jobId) => {
      await setDue(await accept(), 1);
      expect(await claimFrom('holder')).not.toMatchObject({ jobId });
    },
  },
  {
    name: 'is not the last any more',
    before: () => sql`update claims set worker = 'stranger'`.execute(db.database),
  },
])('nobody waits for a worker that $name', async ({ before }) => {
  const jobId = await accept();
  await before(jobId);
  expect(await claimFrom('stranger')).toMatchObject({ jobId });
});

test('a worker on the same machine, or with the mirror from before, takes the job at once', async () => {
  const jobId = await accept();
  expect(await claimFrom('neighbour', { repositoryIds: [99, 1] })).toMatchObject({ jobId });
});

test('promise 25: a project that nobody has run waits for nobody', async () => {
  const { projectId } = await createProject(db.database, { repositoryId: 2, repo: 'new' });
  const jobId = await accept(projectId);
  expect(await claimFrom('stranger')).toMatchObject({ jobId });
});

test('promise 25: a worker with several free slots takes the next job meanwhile, and one with a single slot keeps it', async () => {
  const { projectId } = await createProject(db.database, { repositoryId: 3, repo: 'other' });
  const left = await accept();
  const next = await accept(projectId);
  await sql`insert into claims (project_id, claimed_at) values (${projectId}, now())`.execute(db.database);
  for (const projectConcurrency of [0, 5])
    expect(await claimFrom('stranger', { isLastSlot: true, projectConcurrency })).toBeUndefined();
  expect(await claimFrom('stranger')).toMatchObject({ jobId: next });
  await setDue(left, 1);
  expect(await claimFrom('stranger', { isLastSlot: true })).toMatchObject({ jobId: left });
});

test('the worker to which a job is left is notified', async () => {
  const listener = new pg.Client(db.connection);
  const called: (string | undefined)[] = [];
  listener.on('notification', ({ payload }) => called.push(payload));
  await listener.connect();
  try {
    await accept();
    await accept();
    await listener.query(`listen ${wakeUpChannel}`);
    expect(await claimFrom('stranger')).toBeUndefined();
    await eventually(() => called.length > 0 || undefined);
    expect(called).toEqual(['holder']);
  } finally {
    await listener.end();
  }
});
