import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { spawnService } from '../../harness/processes/spawn-service.ts';
import { createWorld, type World } from '../support/worlds/world.ts';
import { lockTable, settled } from './crash-points.ts';

const nothingToChange = () => ({ text: 'Nothing needs to change.' });

test.concurrent('promise 2: after a crash, every request answered with 201 is done, and the others leave nothing', async () => {
  await using world = await createWorld({ script: nothingToChange });
  await using dying = await spawnService(world, { environment: { ROLE: 'web' } });
  const accepted = await Promise.all(['a', 'b', 'c', 'd'].map((prompt) => dying.caller.create(prompt)));
  // The others stop in the middle of their transactions.
  const { release } = await lockTable(world.database.database, 'messages');
  const others = ['e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'].map((prompt) => dying.caller.create(prompt));
  const answers = Promise.allSettled(others);
  await eventually(async () => (await countBlocked(world)) > 0 || undefined);
  await dying.kill('SIGKILL');
  release();
  expect((await answers).every(({ status }) => status === 'rejected')).toBe(true);

  await using _service = await spawnService(world);
  for (const { id } of accepted) expect(await settled(world, id)).toBe('completed');
  expect((await listJobs(world)).map(({ job_id }) => job_id)).toEqual(accepted.map(({ id }) => id).toSorted());
});

test.concurrent('promise 2: a crash during a dozen requests leaves each one complete or absent', async () => {
  await using world = await createWorld({ script: nothingToChange });
  await using dying = await spawnService(world, { environment: { ROLE: 'web' } });
  const accepted: string[] = [];
  const fourth = Promise.withResolvers<void>();
  const asked = Array.from({ length: 12 }, async (_, index) => {
    accepted.push((await dying.caller.create(`Request ${index}`)).id);
    if (accepted.length === 4) fourth.resolve();
  });
  const answers = Promise.allSettled(asked);
  await fourth.promise;
  await dying.kill('SIGKILL');
  await answers;

  await using _service = await spawnService(world);
  const jobs = await listJobs(world);
  expect(jobs.map(({ job_id }) => job_id)).toEqual(expect.arrayContaining(accepted));
  // One whose answer the crash cut off may be there as well: then it is as good as the others, and once.
  expect(new Set(jobs.map(({ prompt }) => prompt)).size).toBe(jobs.length);
  for (const { job_id } of jobs) expect(await settled(world, job_id)).toBe('completed');
});

/** After how many answers the process is killed. */
const killedAfter = [1, 5];

test.concurrent('promise 23: requests that crashes cut off, repeated with their keys, make one job each', async () => {
  await using world = await createWorld({ script: nothingToChange });
  await using services = new AsyncDisposableStack();
  const spawn = async () => services.use(await spawnService(world, { environment: { ROLE: 'web' } }));
  let service = await spawn();
  const prompts: string[] = [];
  let cutOff = 0;
  for (const enough of killedAfter) {
    const asked = Array.from({ length: 10 }, (_, index) => `Kill after ${enough}, request ${index}`);
    prompts.push(...asked);
    const send = async (prompt: string) => (await service.caller.createOnce(prompt, prompt.replaceAll(/\W+/g, '-'))).id;
    const answered = new Map<string, string>();
    const isEnough = Promise.withResolvers<void>();
    const answers = Promise.allSettled(
      asked.map(async (prompt) => {
        answered.set(prompt, await send(prompt));
        if (answered.size === enough) isEnough.resolve();
      }),
    );
    await isEnough.promise;
    await service.kill('SIGKILL');
    await answers;
    cutOff += asked.length - answered.size;
    service = await spawn();
    const repeated = await Promise.all(asked.map(async (prompt) => [prompt, await send(prompt)] as const));
    for (const [prompt, jobId] of repeated) expect(jobId).toBe(answered.get(prompt) ?? jobId);
  }
  expect(cutOff).toBeGreaterThan(0);
  expect((await listJobs(world)).map(({ prompt }) => prompt).toSorted()).toEqual(prompts.toSorted());
});

/** Each job that there is, with its instruction; null would be a job without one. */
const listJobs = ({ database: { database } }: World) =>
  database
    .selectFrom('jobs')
    .leftJoin('messages', 'messages.job_id', 'jobs.job_id')
    .select(['jobs.job_id', 'messages.prompt'])
    .orderBy('jobs.job_id')
    .execute();

/** How many of them wait for a lock in this world's database. */
async function countBlocked({ database: { database } }: World): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(database);
  return rows.length;
}
