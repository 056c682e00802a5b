import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isHeldByServer, removeStaleLocks } from '../../../src/store/embedded/server.ts';

const lockFiles = ['.s.PGSQL.5432.lock', 'postmaster.pid'];

/** A cluster's folder with lock files that were written `agoMs` ago. */
async function leaveLocks(contentOf: (cluster: string) => string | Promise<string>, agoMs = 0) {
  const cluster = await realpath(await mkdtemp(join(tmpdir(), 'pagewright-test-')));
  onTestFinished(() => rm(cluster, { recursive: true }));
  const content = await contentOf(cluster);
  const writtenAt = new Date(Date.now() - agoMs);
  for (const name of lockFiles) {
    await writeFile(join(cluster, name), content);
    await utimes(join(cluster, name), writtenAt, writtenAt);
  }
  return { cluster, socketLockFile: join(cluster, '.s.PGSQL.5432.lock') };
}

/** The number of a process that works in the folder. */
async function spawnIn(cwd: string): Promise<number> {
  const child = spawn('sleep', ['60'], { cwd });
  onTestFinished(() => void child.kill());
  await once(child, 'spawn');
  return child.pid ?? Number.NaN;
}

async function spawnDead(cwd: string): Promise<number> {
  const child = spawn('true', { cwd });
  await once(child, 'exit');
  return child.pid ?? Number.NaN;
}

test.runIf(process.platform === 'linux').each([
  { name: 'of a live server', contentOf: spawnIn, isHeld: true, isRemoved: false },
  { name: 'that a server is writing', contentOf: () => '', isHeld: true, isRemoved: false },
  { name: 'of a dead server, which PostgreSQL replaces', contentOf: spawnDead, isHeld: false, isRemoved: false },
  { name: 'with the number of another process', contentOf: () => process.pid, isHeld: false, isRemoved: true },
  { name: 'that stayed empty', contentOf: () => '', agoMs: 60_000, isHeld: false, isRemoved: true },
])(
  'lock files $name: held $isHeld, removed before a start $isRemoved, never by a check',
  async ({ contentOf, agoMs, isHeld, isRemoved }) => {
    const locks = await leaveLocks(async (cluster) => `${await contentOf(cluster)}\n`, agoMs);
    expect(await isHeldByServer(locks.cluster)).toBe(isHeld);
    expect((await readdir(locks.cluster)).sort()).toEqual(lockFiles);
    await removeStaleLocks(locks);
    expect((await readdir(locks.cluster)).sort()).toEqual(isRemoved ? [] : lockFiles);
  },
);
