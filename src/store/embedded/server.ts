import { readFile, readlink, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hasCode } from '../../errors.ts';
import { realTiming } from '../../timing.ts';
import type { PostgresCommand } from './programs.ts';

const logFile = 'server.log';

const settings = {
  listen_addresses: '',
  port: 5432,
  unix_socket_permissions: '0700',
  max_connections: 300,
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  // Parallel queries need more shared memory than a container's 64 MB.
  max_parallel_workers_per_gather: 0,
  // Durable, whatever a configuration file says.
  fsync: 'on',
  synchronous_commit: 'on',
  // Clients log failed statements, with secrets redacted.
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

export type PostgresControl = ReturnType<typeof createPostgresControl>;

/** `run` must run in the cluster's parent folder. */
export function createPostgresControl(parts: { cluster: string; socketDirectory: string; run: PostgresCommand }) {
  const { cluster, socketDirectory, run } = parts;
  const name = basename(cluster);
  const pgCtl = (...args: string[]) => run('pg_ctl', ['-D', name, ...args]);

  return {
    /** By the lock file; the socket is more reliable. */
    isRunning: (): Promise<boolean> => isHeldByServer(cluster),
    /** True for a moment in each start; true for long means that the server is stuck. */
    lacksStartup: (): Promise<boolean> => lacksStartup(cluster),
    /** The server outlives this process and logs to `server.log`. Call it only if the socket does not answer: it removes stale locks. */
    async start(): Promise<void> {
      await removeStaleLocks({ cluster, socketLockFile: join(socketDirectory, `.s.PGSQL.${settings.port}.lock`) });
      const allSettings = Object.entries({ ...settings, unix_socket_directories: socketDirectory });
      const options = allSettings.map(([key, value]) => `-c ${key}=${value}`).join(' ');
      const { exitCode, errors } = await pgCtl(
        'start',
        '-w',
        '-t',
        String(realTiming.embeddedDatabase.startWithinMs / 1_000),
        '-l',
        `${name}/${logFile}`,
        '-o',
        options,
      );
      if (exitCode === 0) return;
      const log = await readFile(join(cluster, logFile), 'utf8').catch(() => 'no log');
      throw new Error(`could not start the server of ${cluster}: ${errors}; its log ends: ${log.trim().slice(-1_000)}`);
    },
    /** Resolves when this server is gone. `immediate`: for a server that does not answer; the next start recovers all commits. */
    async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
      const server = await findServer(cluster);
      const { exitCode, errors } = await pgCtl('stop', '-W', '-m', mode);
      const deadline = AbortSignal.timeout(realTiming.embeddedDatabase.startWithinMs);
      // `pg_ctl -w` would also wait for a server that another process starts at once.
      while (server !== undefined && (await findServer(cluster)) === server) {
        if (exitCode !== 0 || deadline.aborted)
          throw new Error(`could not stop the server of ${cluster}: ${errors || 'it takes more than a minute'}`);
        await delay(10);
      }
    },
  };
}

/** PostgreSQL writes its lock file within microseconds: an empty one is left from a crash. */
const emptyLockFileMs = 10_000;

/** Process id and start time; undefined without a lock file. */
async function findServer(cluster: string): Promise<string | undefined> {
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
