import { readFile, readlink, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { realTiming } from '../../timing.ts';

/** Identifies a run of the cluster's server by process number and start time; undefined without a lock file. */
export async function findServer(cluster: string): Promise<string | undefined> {
  const content = await orUndefined(readFile(lockFileOf(cluster), 'utf8'));
  if (content === undefined) return undefined;
  const [pid = '', , startedAt = ''] = content.split('\n');
  return `${pid} ${startedAt}`;
}

/**
 * Whether a live server holds the cluster, according to the lock file and /proc. The working directory of a server is its cluster; without
 * /proc any live process with that number counts as the server.
 */
export async function isHeldByServer(cluster: string): Promise<boolean> {
  return (await classifyLockFile(cluster)) === 'held';
}

/**
 * Removes the lock files of a dead server if they would block the next start, until a person deletes them. Call it only before a start, if the
 * socket does not answer. A wrong guess costs no data: shared memory prevents a second server, too.
 * https://www.postgresql.org/docs/18/server-start.html
 */
export async function removeStaleLocks({ cluster, socketLockFile }: { cluster: string; socketLockFile: string }) {
  if ((await classifyLockFile(cluster)) !== 'stale') return;
  // In this order, so that a crash in between leaves the file that is checked first.
  await rm(socketLockFile, { force: true });
  await rm(lockFileOf(cluster), { force: true });
}

/**
 * `stale`: the process number in the lock file belongs to another process, or to a zombie (Node as the first process of a container reaps no
 * children). `free`: PostgreSQL itself considers the cluster free.
 */
async function classifyLockFile(cluster: string): Promise<'free' | 'held' | 'stale'> {
  const server = await findServer(cluster);
  if (server === undefined) return 'free';
  const pid = Number.parseInt(server, 10);
  if (Number.isNaN(pid))
    return (await isOlderThan(lockFileOf(cluster), realTiming.embeddedDatabase.emptyLockFileMs)) ? 'stale' : 'held';
  if (pid > 0 && !isAlive(pid)) return 'free';
  return pid > 0 && (await worksIn(pid, cluster)) ? 'held' : 'stale';
}

/**
 * Whether a server holds the cluster, is not stopping, and has no startup process, without which it never gets ready. False without /proc.
 * https://github.com/postgres/postgres/blob/REL_18_STABLE/src/include/utils/pidfile.h
 */
export async function lacksStartup(cluster: string): Promise<boolean> {
  const lines = (await orUndefined(readFile(lockFileOf(cluster), 'utf8')))?.split('\n');
  if (lines?.[7]?.trim() === 'stopping') return false;
  const [pid] = lines ?? [];
  const children = await orUndefined(readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'));
  if (children === undefined) return false;
  const read = (child: string) => orUndefined(readFile(`/proc/${child}/cmdline`, 'utf8'));
  const commands = await Promise.all(children.trim().split(' ').map(read));
  // A cluster_name may precede it.
  return !commands.some((command) => /^postgres: (?:\S+: )?startup\b/.test(command ?? ''));
}

const lockFileOf = (cluster: string) => join(cluster, 'postmaster.pid');

/** Whether the process is alive or a zombie, and this account may signal it. */
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

/** Undefined if the file or the process does not exist. */
async function orUndefined<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return undefined;
    throw error;
  }
}
