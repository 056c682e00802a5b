import { readFile, readlink, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { realTiming } from '../../timing.ts';

/** Names one run of a cluster's server by its process number and start; undefined when no lock file says that there is one. */
export async function findServer(cluster: string): Promise<string | undefined> {
  const content = await orUndefined(readFile(lockFileOf(cluster), 'utf8'));
  if (content === undefined) return undefined;
  const [pid = '', , startedAt = ''] = content.split('\n');
  return `${pid} ${startedAt}`;
}

/**
 * Whether a live server holds the cluster, as far as the lock file and /proc tell; a socket that answers is the better proof. A server works
 * in its cluster's folder; without /proc whatever lives is taken for it.
 */
export async function isHeldByServer(cluster: string): Promise<boolean> {
  return (await judgeLockFile(cluster)) === 'held';
}

/**
 * Removes the lock files of a server that is gone where they would keep PostgreSQL from starting the next: it waits for a person to delete
 * them. Only for who is about to start one because the socket does not answer. A mistake costs no data: shared memory keeps a second server
 * out as well. https://www.postgresql.org/docs/18/server-start.html
 */
export async function removeStaleLocks({ cluster, socketLockFile }: { cluster: string; socketLockFile: string }) {
  if ((await judgeLockFile(cluster)) !== 'stale') return;
  // This order: after a crash in between, what is left is found again.
  await rm(socketLockFile, { force: true });
  await rm(lockFileOf(cluster), { force: true });
}

/**
 * A lock file is never a proof: after a crash its number may be another process's, or that of a dead one whom nobody has reaped (Node as the
 * first process of a container reaps nobody): `stale`. `free` is a cluster that PostgreSQL itself takes for unheld.
 */
async function judgeLockFile(cluster: string): Promise<'free' | 'held' | 'stale'> {
  const server = await findServer(cluster);
  if (server === undefined) return 'free';
  const pid = Number.parseInt(server, 10);
  if (Number.isNaN(pid))
    return (await isOlderThan(lockFileOf(cluster), realTiming.embeddedDatabase.emptyLockFileMs)) ? 'stale' : 'held';
  if (pid > 0 && !isAlive(pid)) return 'free';
  return pid > 0 && (await worksIn(pid, cluster)) ? 'held' : 'stale';
}

/**
 * Whether a server holds the cluster, is not being stopped, and has no startup process, without which it will never be ready. Only /proc
 * tells: elsewhere the answer is no. https://github.com/postgres/postgres/blob/REL_18_STABLE/src/include/utils/pidfile.h
 */
export async function lacksStartup(cluster: string): Promise<boolean> {
  const lines = (await orUndefined(readFile(lockFileOf(cluster), 'utf8')))?.split('\n');
  if (lines?.[7]?.trim() === 'stopping') return false;
  const [pid] = lines ?? [];
  const children = await orUndefined(readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'));
  if (children === undefined) return false;
  const read = (child: string) => orUndefined(readFile(`/proc/${child}/cmdline`, 'utf8'));
  const commands = await Promise.all(children.trim().split(' ').map(read));
  // A cluster_name stands before it.
  return !commands.some((command) => /^postgres: (?:\S+: )?startup\b/.test(command ?? ''));
}

const lockFileOf = (cluster: string) => join(cluster, 'postmaster.pid');

/** Alive or not reaped, and of an account that PostgreSQL minds. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function worksIn(pid: number, folder: string): Promise<boolean> {
  return process.platform !== 'linux' || (await orUndefined(readlink(`/proc/${pid}/cwd`))) === folder;
}

async function isOlderThan(path: string, ageMs: number): Promise<boolean> {
  const found = await orUndefined(stat(path));
  return found !== undefined && Date.now() - found.mtimeMs > ageMs;
}

/** Undefined where there is nothing, or no such process any more. */
async function orUndefined<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return undefined;
    throw error;
  }
}
