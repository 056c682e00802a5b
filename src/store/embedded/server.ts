import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { realTiming } from '../../timing.ts';
import { findServer, isHeldByServer, lacksStartup, removeStaleLocks } from './lock-file.ts';
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
