import { expect, test } from 'vitest';
import { createProject } from '../../harness/create-project.ts';
import { eventually } from '../../harness/eventually.ts';
import { createTestDatabase } from '../support/databases/database.ts';
import { acceptJob } from '../support/databases/jobs.ts';
import { countAtOnce, type Fate, findLongestGap, type Stint, startFakeRuns } from './fake-runs.ts';

const runMs = 40;

async function createProjects(db: Awaited<ReturnType<typeof createTestDatabase>>, count: number): Promise<string[]> {
  const projects = Array.from({ length: count }, (_, index) =>
    createProject(db.database, { repo: `docs-${index}`, repositoryId: index + 1 }),
  );
  return (await Promise.all(projects)).map(({ projectId }) => projectId);
}

/** How many runs began between the acceptance of a project's first job and its start: one for each slot that was free before. */
async function countAhead(stints: readonly Stint[], jobId: string, startedBefore: number): Promise<number> {
  const index = await eventually(() => {
    const found = stints.findIndex((stint) => stint.jobId === jobId);
    return found === -1 ? undefined : found;
  });
  return index - startedBefore;
}

test.each([
  { name: 'one slot, one backlog', backlogs: 1, processes: 1, concurrency: 1 },
  { name: 'two processes of two slots, one backlog', backlogs: 1, processes: 2, concurrency: 2 },
  { name: 'two processes of one slot, three backlogs', backlogs: 3, processes: 2, concurrency: 1 },
])('promise 25: a backlog of 100 delays another project’s first job by one slot at most: $name', async (given) => {
  await using db = await createTestDatabase();
  const [quiet = '', ...busy] = await createProjects(db, given.backlogs + 1);
  const each = Math.ceil(100 / busy.length);
  await Promise.all(busy.flatMap((projectId) => Array.from({ length: each }, () => acceptJob(db.store, projectId))));
  await using runs = await startFakeRuns(db.connection, { ...given, runMs });
  // Every backlog has had its turn: from here on it is as it always is.
  await eventually(() => runs.stints.length > 2 * given.processes * given.concurrency * busy.length || undefined);
  const { job_id: jobId } = await acceptJob(db.store, quiet);
  const ahead = await countAhead(runs.stints, jobId, runs.stints.length);
  expect(runs.stints.length).toBeLessThan(100);
  // Each process may have been about to claim when the job was accepted.
  expect(ahead).toBeLessThanOrEqual(given.processes);
});

test.each<Fate>(['parks', 'breaks'])('promise 25: a project whose every run %s starves nobody', async (fate) => {
  await using db = await createTestDatabase();
  const [bad = '', good = ''] = await createProjects(db, 2);
  for (let count = 0; count < 10; count += 1) await acceptJob(db.store, bad);
  const jobIds = await Promise.all(Array.from({ length: 5 }, () => acceptJob(db.store, good)));
  const fateOf = ({ projectId }: { projectId: string }) => (projectId === bad ? fate : 'ends');
  await using runs = await startFakeRuns(db.connection, { processes: 2, concurrency: 1, runMs, fateOf });
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
    runMs,
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
