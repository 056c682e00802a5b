import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type SpawnedService, spawnService } from '../../harness/processes/spawn-service.ts';
import { listRuns } from '../../src/store/tables/jobs/runs.ts';
import { createWorld, type World } from '../support/worlds/world.ts';
import { atModelRequest, settled } from './crash-points.ts';
import { readGitHub } from './github-state.ts';
import { countRepeats, followInstruction } from './instructed-model.ts';

/** A process with files of its own, as if each ran on another machine. */
const spawnOn = (world: World, machine: string, more: { command?: readonly [string, ...string[]] } = {}) =>
  spawnService(world, { environment: { DATA_DIR: join(world.directory, machine) }, ...more });

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
