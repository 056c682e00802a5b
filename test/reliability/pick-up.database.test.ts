import { expect, test } from 'vitest';
import { createProject } from '../../harness/create-project.ts';
import { eventually } from '../../harness/eventually.ts';
import { countAtOnce, type Fate, findLongestGap, startFakeRuns } from '../../harness/fake-runs.ts';
import { onBusyMachine } from '../../harness/on-busy-machine.ts';
import { createSilentLog } from '../../src/log.ts';
import { type Lease, releaseLease } from '../../src/store/schedule/lease.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { createTestDatabase } from '../support/databases/database.ts';
import { acceptJob } from '../support/databases/jobs.ts';
import { startApi } from '../support/doors/api.ts';

// The runs only take their time here: git and HTTP would make four real ones longer than what is measured.
test('promise 25: four short jobs on one slot are done within 3 s of their POSTs', async () => {
  await using db = await createTestDatabase();
  const { projectId, key } = await createProject(db.database);
  await using api = await startApi({ store: db.store });
  await using runs = await startFakeRuns(db.connection, { concurrency: 1, runMs: 200 });
  const postedAt = performance.now();
  const path = `/v2/agent/${projectId}/job`;
  await Promise.all(['a', 'b', 'c', 'd'].map((prompt) => api.call('POST', path, { key, body: { prompt } })));
  await eventually(() => runs.countEnded() === 4 || undefined);
  expect(performance.now() - postedAt).toBeLessThan(onBusyMachine(3_000));
});

test('promise 25: a burst of 40 jobs leaves no slot idle', async () => {
  await using db = await createTestDatabase();
  const { projectId } = await createProject(db.database);
  const concurrency = 4;
  await using runs = await startFakeRuns(db.connection, { concurrency, runMs: 50 });
  await Promise.all(Array.from({ length: 40 }, () => acceptJob(db.store, projectId)));
  const since = performance.now();
  await eventually(() => runs.countEnded() === 40 || undefined);
  expect(findLongestGap(runs.stints, { concurrency, since })).toBeLessThan(1_000);
});

test('promise 25: a backlog of one project delays the first job of another by one slot at most', async () => {
  await using db = await createTestDatabase();
  const { projectId: busy } = await createProject(db.database, { repo: 'busy', repositoryId: 1 });
  const { projectId: quiet } = await createProject(db.database, { repo: 'quiet', repositoryId: 2 });
  await using runs = await startFakeRuns(db.connection, { concurrency: 2, runMs: 50 });
  await Promise.all(Array.from({ length: 30 }, () => acceptJob(db.store, busy)));
  const { job_id: jobId } = await acceptJob(db.store, quiet);
  const startedBefore = runs.stints.length;
  const position = await eventually(() => {
    const index = runs.stints.findIndex((stint) => stint.jobId === jobId);
    return index === -1 ? undefined : index;
  });
  expect(startedBefore).toBeLessThan(30);
  expect(position - startedBefore).toBeLessThanOrEqual(1);
});

test.each<Fate>(['parks', 'breaks'])('promise 25: a project whose every run %s starves nobody', async (fate) => {
  await using db = await createTestDatabase();
  const [bad = '', good = ''] = await createProjects(db, 2);
  for (let count = 0; count < 10; count += 1) await acceptJob(db.store, bad);
  const jobIds = await Promise.all(Array.from({ length: 5 }, () => acceptJob(db.store, good)));
  const fateOf = ({ projectId }: { projectId: string }) => (projectId === bad ? fate : 'ends');
  await using runs = await startFakeRuns(db.connection, { processes: 2, concurrency: 1, runMs: 40, fateOf });
  const ofGood = () => runs.stints.filter(({ projectId }) => projectId === good);
  await eventually(() => ofGood().filter(({ endedAt }) => endedAt < Infinity).length === jobIds.length || undefined);
  const last = runs.stints.findLastIndex(({ projectId }) => projectId === good);
  expect(last).toBeLessThanOrEqual(3 * jobIds.length);
});

test('promise 25: a project never exceeds its concurrent runs, and its slots are never idle', async () => {
  await using db = await createTestDatabase();
  const [narrow = ''] = await createProjects(db, 1);
  const projectConcurrency = 2;
  const jobs = 24;
  await using runs = await startFakeRuns(db.connection, {
    processes: 3,
    concurrency: 4,
    projectConcurrency,
    runMs: 40,
  });
  await Promise.all(Array.from({ length: jobs }, () => acceptJob(db.store, narrow)));
  const since = performance.now();
  await eventually(() => runs.countEnded() === jobs || undefined);
  expect(countAtOnce(runs.stints)).toBe(projectConcurrency);
  // Nobody waits for the next look of a timer.
  expect(
    findLongestGap(runs.stints.slice(projectConcurrency), { concurrency: projectConcurrency, since }),
  ).toBeLessThan(900);
});

test('promise 3: of 20 workers, only one at a time works on a job', async () => {
  await using db = await createTestDatabase();
  const { database } = db;
  const { projectId } = await createProject(database);
  const epochs: number[] = [];
  let live = 0;
  let mostLive = 0;
  const log = createSilentLog();
  const workers = Array.from({ length: 20 }, (_, index) =>
    createWorker({ database, name: `worker-${index}`, concurrency: 1, execute, log }),
  );
  const lookAll = () => {
    for (const worker of workers) worker.claimDueJobs();
  };

  /** Works for a moment, then gives the job back, due at once. */
  async function execute(lease: Lease) {
    live += 1;
    mostLive = Math.max(mostLive, live);
    epochs.push(lease.epoch);
    lookAll();
    await eventually(async () => (await database.selectFrom('jobs').select('job_id').execute()).length || undefined);
    live -= 1;
    await releaseLease(database, lease, { delayMs: 0 });
    lookAll();
  }

  await acceptJob(db.store, projectId);
  lookAll();
  await eventually(() => epochs.length >= 15 || undefined);
  await Promise.all(workers.map((worker) => worker.stop()));
  expect(mostLive).toBe(1);
  expect(epochs).toEqual(epochs.map((_, index) => index + 1));
});

async function createProjects(db: Awaited<ReturnType<typeof createTestDatabase>>, count: number): Promise<string[]> {
  const projects = Array.from({ length: count }, (_, index) =>
    createProject(db.database, { repo: `docs-${index}`, repositoryId: index + 1 }),
  );
  return (await Promise.all(projects)).map(({ projectId }) => projectId);
}
