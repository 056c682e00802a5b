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
  // Parallel queries need more shared memory than the 64 MB that a container gets.
  max_parallel_workers_per_gather: 0,
  // The defaults, set here because accepted requests must be durable whatever a configuration file says.
  fsync: 'on',
  synchronous_commit: 'on',
  // No errors of statements: clients log them with secrets redacted.
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

/** Starts and stops the server of a cluster with pg_ctl. */
export interface PostgresControl {
  /** Whether a server process holds the cluster, according to its lock file. The socket is more reliable. */
  isRunning(): Promise<boolean>;
  /** Whether that server lacks a startup process and is not stopping: true for a moment in each start, and for long if the server is stuck. */
  lacksStartup(): Promise<boolean>;
  /**
   * Resolves when the server accepts connections. It outlives this process and logs to `server.log` in the cluster. Call it only if the socket
   * does not answer: it removes stale lock files.
   */
  start(): Promise<void>;
  /**
   * Ends all connections and resolves when the server is gone; another process may have started the next one by then. `immediate` is for a
   * server that does not answer: the next start recovers all commits.
   */
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
}

/** `run` must run in the cluster's parent folder. */
export function createPostgresControl({
  cluster,
  socketDirectory,
  run,
}: {
  cluster: string;
  socketDirectory: string;
  run: PostgresCommand;
}): PostgresControl {
  const name = basename(cluster);
  const pgCtl = (...args: string[]) => run('pg_ctl', ['-D', name, ...args]);

  return {
    isRunning: () => isHeldByServer(cluster),
    lacksStartup: () => lacksStartup(cluster),
    async start() {
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
    async stop(mode = 'fast') {
      const server = await findServer(cluster);
      const { exitCode, errors } = await pgCtl('stop', '-W', '-m', mode);
      const deadline = AbortSignal.timeout(realTiming.embeddedDatabase.startWithinMs);
      // Not `pg_ctl -w`, which waits until the cluster has no server: another process may start one at once.
      while (server !== undefined && (await findServer(cluster)) === server) {
        if (exitCode !== 0 || deadline.aborted) {
          throw new Error(`could not stop the server of ${cluster}: ${errors || 'it takes more than a minute'}`);
        }
        await delay(10);
      }
    },
  };
}
