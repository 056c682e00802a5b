import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { spawnService } from '../../harness/processes/spawn-service.ts';
import { listRuns } from '../../src/store/tables/jobs/runs.ts';
import { createWorld, type World } from '../support/worlds/world.ts';
import { expireLease, settled } from './crash-points.ts';
import { listWrites, readGitHub } from './github-state.ts';
import { followInstruction } from './instructed-model.ts';

const comments = /\/issues\/\d+\/comments$/;

/** A service with files of its own, as if each ran on another machine. */
const spawnOn = (world: World, machine: string) =>
  spawnService(world, { environment: { DATA_DIR: join(world.directory, machine) } });

const lookAtRun = async ({ database }: World, jobId: string) => (await listRuns(database.database, jobId))[0];

test.concurrent('promise 10: a run that keeps crashing its processes ends with a comment', async () => {
  await using world = await createWorld({ script: () => ({ fault: { kind: 'hang' } }) });
  const { requests } = world.model;
  let id = '';
  for (const attempt of [1, 2, 3]) {
    await using service = await spawnOn(world, 'first');
    if (attempt === 1) id = (await service.caller.create('First')).id;
    await eventually(() => requests.length === attempt || undefined);
    await service.kill('SIGKILL');
    await expireLease(world.database.database, id);
  }
  await using last = await spawnOn(world, 'first');
  expect(await settled(world, id)).toBe('failed');
  const run = await lookAtRun(world, id);
  expect(run).toMatchObject({ phase: 'ended', code: 'crashed', takeovers: 3 });
  await last.logged('a run ended');
  const told = last.lines.filter((line) => line.includes('"msg":"a run ended"')).map((line) => JSON.parse(line));
  expect(told).toMatchObject([{ level: 'info', jobId: id, runId: run?.run_id, code: 'crashed' }]);
  expect(requests).toHaveLength(3);
  expect(listWrites(world)).toEqual([]);
});

test.concurrent('promise 3: a comment that arrives after its process died is deleted', async () => {
  await using world = await createWorld({ script: followInstruction });
  const { github } = world;
  await using first = await spawnOn(world, 'first');
  const { id } = await first.caller.create('First');
  await settled(world, id);

  const onTheWire = github.inject({ method: 'POST', path: comments, kind: 'hold-before' });
  const answer = github.inject({ method: 'POST', path: comments, kind: 'hold-after' });
  await first.caller.message(id, 'Second');
  await eventually(() => onTheWire.hits() === 1 || undefined);
  await first.kill('SIGKILL');
  await expireLease(world.database.database, id);
  await using _second = await spawnOn(world, 'second');
  const isPosted = (times: number) =>
    github.requests.filter(({ method, path, done }) => method === 'POST' && comments.test(path) && done).length ===
    times;
  await eventually(() => isPosted(1) || undefined);
  onTheWire.release();
  await eventually(() => isPosted(2) || undefined);
  answer.release();

  expect(await settled(world, id)).toBe('completed');
  expect(await readGitHub(world, id)).toEqual({
    branches: 1,
    pullRequests: 1,
    commits: ['First', 'Wrote: Second'],
    comments: 1,
  });
  expect(github.duplicates()).toEqual([]);
});
