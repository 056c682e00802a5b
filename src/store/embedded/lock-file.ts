import { readFile, readlink, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../errors.ts';

/** PostgreSQL writes its lock file within microseconds: an empty one is left from a crash. */
const emptyLockFileMs = 10_000;

/** Process id and start time; undefined without a lock file. */
export async function findServer(cluster: string): Promise<string | undefined> {
  const content = await orUndefined(readFile(lockFileOf(cluster), 'utf8'));
  if (content === undefined) return undefined;
  const [pid = '', , startedAt = ''] = content.split('\n');
  return `${pid} ${startedAt}`;
}

/** A server works in the folder of its cluster; without /proc, any live process with its id counts as the server. */
export async function isHeldByServer(cluster: string): Promise<boolean> {
  return (await classifyLockFile(cluster)) === 'held';
}

/**
 * Locks of a dead server block a start: https://www.postgresql.org/docs/18/server-start.html. Call it only if the socket does not answer. A
 * wrong guess costs no data: shared memory prevents a second server.
 */
export async function removeStaleLocks({ cluster, socketLockFile }: { cluster: string; socketLockFile: string }) {
  if ((await classifyLockFile(cluster)) !== 'stale') return;
  // A crash in between leaves the file that is checked first.
  await rm(socketLockFile, { force: true });
  await rm(lockFileOf(cluster), { force: true });
}

/** `stale`: the process id belongs to another process, or to a zombie (as PID 1 of a container, Node reaps no children). */
async function classifyLockFile(cluster: string): Promise<'free' | 'held' | 'stale'> {
  const server = await findServer(cluster);
  if (server === undefined) return 'free';
  const pid = Number.parseInt(server, 10);
  if (Number.isNaN(pid)) return (await isOlderThan(lockFileOf(cluster), emptyLockFileMs)) ? 'stale' : 'held';
  if (pid > 0 && !isAlive(pid)) return 'free';
  return pid > 0 && (await worksIn(pid, cluster)) ? 'held' : 'stale';
}

/** False without /proc. https://github.com/postgres/postgres/blob/REL_18_STABLE/src/include/utils/pidfile.h */
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

/** True for a zombie. */
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

async function orUndefined<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH')) return undefined;
    throw error;
  }
}
