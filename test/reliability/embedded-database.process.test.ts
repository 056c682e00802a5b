import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createCaller } from '../../harness/caller.ts';
import { eventually } from '../../harness/eventually.ts';
import { spawnService } from '../../harness/processes/spawn-service.ts';
import { startInWorld } from '../../harness/start-service.ts';
import { createSilentLog } from '../../src/log.ts';
import { startEmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts';
import { createDatabase } from '../../src/store/postgres/database.ts';
import { realTiming } from '../../src/timing.ts';
import { createWorld, type World } from '../support/worlds/world.ts';
import { atModelRequest, expireLease } from './crash-points.ts';
import { readGitHub } from './github-state.ts';
import { followInstruction } from './instructed-model.ts';

test('promise 1: a run survives a crash of its process, and a crash of the embedded database', async () => {
  await using world = await createWorld({ script: followInstruction });
  const dataDir = join(world.directory, 'embedded');
  const environment = { DATA_DIR: dataDir, DATABASE_URL: '' };

  await using first = await spawnService(world, { environment });
  const access = await createKeyByCommand(world, environment);
  const duringFirst = await atModelRequest(0)(world);
  const { id } = await createCaller({ url: first.url, project: access }).create('First');
  await duringFirst.reached();
  await first.kill('SIGKILL');
  duringFirst.release();

  const duringSecond = await atModelRequest(1)(world);
  // The server was left behind, and is adopted.
  await using second = await spawnService(world, { environment });
  await expireEmbeddedLease(dataDir, id);
  await duringSecond.reached();
  const serverPid = Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
  await second.kill('SIGKILL');
  process.kill(serverPid, 'SIGKILL');
  duringSecond.release();

  // The server is gone without a word, and recovers what was committed.
  await using third = await spawnService(world, { environment });
  await expireEmbeddedLease(dataDir, id);
  const caller = createCaller({ url: third.url, project: access });
  expect(await caller.settled(id)).toMatchObject({ status: 'completed' });
  expect(await readGitHub(world, id)).toEqual({ branches: 1, pullRequests: 1, commits: ['First'], comments: 0 });
  expect(world.model.requests).toHaveLength(4);
});

test('promise 17: a service continues without a restart after its embedded database is killed', async () => {
  await using world = await createWorld({ script: followInstruction });
  const environment = { DATA_DIR: join(world.directory, 'embedded'), DATABASE_URL: '' };
  await using service = await startInWorld(world, environment, realTiming);
  const access = await createKeyByCommand(world, environment);
  const pidFile = join(environment.DATA_DIR, 'postgres/postmaster.pid');
  process.kill(Number.parseInt(await readFile(pidFile, 'utf8'), 10), 'SIGKILL');
  const killedAt = performance.now();
  await eventually(() => service.lines.some((line) => line.includes('the embedded database was lost')) || undefined);
  await eventually(async () => (await fetch(`${service.url}/readyz`)).ok || undefined);
  expect(performance.now() - killedAt).toBeLessThan(30_000);
  const caller = createCaller({ url: service.url, project: access });
  const { id } = await caller.create('Afterwards');
  expect(await caller.settled(id)).toMatchObject({ status: 'completed' });
});

async function createKeyByCommand(world: World, environment: Record<string, string>) {
  const args = [resolve('src/pagewright.ts'), 'keys', 'create', 'acme/docs', '--name', 'ci', '--json'];
  const options = { cwd: world.directory, env: { ...process.env, ...world.environment, ...environment } };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return z.object({ projectId: z.string(), key: z.string() }).parse(JSON.parse(stdout));
}

async function expireEmbeddedLease(dataDir: string, jobId: string): Promise<void> {
  await using server = await startEmbeddedPostgres({ dataDir });
  const log = createSilentLog();
  await using database = createDatabase({ connection: server.connection, log });
  await expireLease(database, jobId);
}
