import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { type SpawnedService, spawnService } from '../../harness/processes/spawn-service.ts';
import { listRuns } from '../../src/store/tables/jobs/runs.ts';
import { createWorld, type World } from '../support/worlds/world.ts';
import { atModelRequest, settled } from './crash-points.ts';
import { readGitHub } from './github-state.ts';
import { countRepeats, followInstruction } from './instructed-model.ts';

/** A process with files of its own, as if each ran on another machine. */
const spawnOn = (
  world: World,
  machine: string,
  more: { role?: string; command?: readonly [string, ...string[]] } = {},
) =>
  spawnService(world, {
    environment: { DATA_DIR: join(world.directory, machine), ROLE: more.role ?? 'all' },
    ...(more.command && { command: more.command }),
  });

const lookAtRun = async ({ database }: World, jobId: string) => (await listRuns(database.database, jobId))[0];

/** Tells a process to stop; resolves with how long it took to be gone, in milliseconds. */
async function stop(service: SpawnedService): Promise<number> {
  const toldAt = performance.now();
  expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  return performance.now() - toldAt;
}

test.concurrent('promise 16: at SIGTERM a process waits for the model’s answer, and another process runs its tools', async () => {
  await using world = await createWorld({ script: followInstruction });
  const { requests } = world.model;
  await using first = await spawnOn(world, 'first', { command: ['npm', 'start'] });
  const held = await atModelRequest(0)(world);
  const { id } = await first.caller.create('First');
  await held.reached();
  await using second = await spawnOn(world, 'second');
  // The door waits for the rest of this one, and the run must not work on meanwhile.
  const slow = connect(Number(new URL(first.url).port), '127.0.0.1').on('error', () => {});
  const head = `authorization: Bearer ${world.key}\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 9`;
  slow.write(`POST /v2/agent/${world.projectId}/job HTTP/1.1\r\nhost: localhost\r\n${head}\r\n\r\n`);
  await once(slow, 'data');
  const stopping = stop(first);
  await first.logged('pagewright is stopping');
  const next = await atModelRequest(1)(world);
  held.release();
  await stopping;
  slow.destroy();
  // The first process stored its answer and let go: it asked no more, and the second did not have to wait for its lease to run out.
  await next.reached();
  expect(first.lines.filter((line) => line.includes('a run was interrupted'))).toHaveLength(1);
  expect(requests).toHaveLength(2);
  expect(await lookAtRun(world, id)).toMatchObject({ phase: 'working', takeovers: 0 });
  next.release();

  expect(await settled(world, id)).toBe('completed');
  expect({ asked: requests.length, repeats: countRepeats(requests) }).toEqual({ asked: 2, repeats: 0 });
  expect(second.lines.some((line) => line.includes('"isTakeover":true'))).toBe(false);
  expect(await readGitHub(world, id)).toEqual({ branches: 1, pullRequests: 1, commits: ['First'], comments: 0 });
});

// It waits for the end of the grace: the others fill the time.
test.concurrent('promise 16: a slow model does not keep a process from stopping', async () => {
  await using world = await createWorld({ script: followInstruction });
  const { requests } = world.model;
  await using first = await spawnOn(world, 'first');
  const held = await atModelRequest(1)(world);
  const { id } = await first.caller.create('First');
  await held.reached();
  await using _second = await spawnOn(world, 'second');
  const tookMs = await stop(first);
  expect(tookMs).toBeGreaterThan(14_000);
  expect(tookMs).toBeLessThan(30_000);
  held.release();

  expect(await settled(world, id)).toBe('completed');
  expect({ asked: requests.length, repeats: countRepeats(requests) }).toEqual({ asked: 3, repeats: 1 });
  expect(await lookAtRun(world, id)).toMatchObject({ code: 'published', takeovers: 0 });
});

test.concurrent('promise 16: a process that waits to retry a model request stops at once', async () => {
  const busy = { fault: { kind: 'status', status: 429, headers: { 'retry-after': '50' } } } as const;
  await using world = await createWorld({ script: () => busy });
  const { requests } = world.model;
  await using first = await spawnOn(world, 'first');
  const { id } = await first.caller.create('First');
  await first.logged('model request failed, retrying');
  world.model.setScript(followInstruction);
  expect(await stop(first)).toBeLessThan(10_000);
  await using _second = await spawnOn(world, 'second');
  expect(await settled(world, id)).toBe('completed');
  expect(requests).toHaveLength(3);
  expect(await lookAtRun(world, id)).toMatchObject({ code: 'published', takeovers: 0 });
});

test.concurrent('promise 16: rolling restarts of two workers under load cost no run, no takeover and no paid turn', async () => {
  await using world = await createWorld({
    async script(request) {
      await delay(400);
      return followInstruction(request);
    },
  });
  const { model, database } = world;
  await using web = await spawnOn(world, 'web', { role: 'web' });
  const workers = await Promise.all(['one', 'two'].map((machine) => spawnOn(world, machine, { role: 'worker' })));
  const jobs: string[] = [];
  try {
    for (const restart of [0, 1]) {
      for (const name of ['a', 'b', 'c']) jobs.push((await web.caller.create(`Job ${restart}${name}`)).id);
      const asked = model.requests.length;
      await eventually(() => model.requests.length > asked || undefined);
      const told = workers[restart];
      if (!told) throw new Error('there are two workers');
      expect(await stop(told)).toBeLessThan(30_000);
      workers[restart] = await spawnOn(world, restart === 0 ? 'one' : 'two', { role: 'worker' });
    }
    for (const id of jobs) expect(await settled(world, id)).toBe('completed');
  } finally {
    await Promise.all(workers.map((worker) => worker[Symbol.asyncDispose]()));
  }

  const runs = await Promise.all(jobs.map((id) => listRuns(database.database, id)));
  expect(runs.map((ofJob) => ofJob.map(({ code, takeovers, turns }) => [code, takeovers, turns]))).toEqual(
    jobs.map(() => [['published', 0, 2]]),
  );
  expect({ asked: model.requests.length, repeats: countRepeats(model.requests) }).toEqual({
    asked: jobs.length * 2,
    repeats: 0,
  });
  expect(world.github.duplicates()).toEqual([]);
  const takenOver = [web, ...workers].flatMap(({ lines }) =>
    lines.filter((line) => line.includes('"isTakeover":true')),
  );
  expect(takenOver).toEqual([]);
});
