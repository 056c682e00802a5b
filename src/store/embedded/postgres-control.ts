import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { realTiming } from '../../timing.ts';
import type { PostgresCommand } from './postgres-command.ts';
import { findServer, isHeldByServer, lacksStartup, removeStaleLocks } from './postgres-lock-file.ts';

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
  // These two are the defaults; an accepted request is a committed one, so they are not left to a configuration file.
  fsync: 'on',
  synchronous_commit: 'on',
  // The server's own life only. The error of a statement is reported by whoever sent it, with secrets removed; here it would stand bare.
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

/** Starts and stops the server of one cluster by pg_ctl. */
export interface PostgresControl {
  /** Whether a server process holds the cluster, as far as its lock file tells; a socket that answers is the better proof. */
  isRunning(): Promise<boolean>;
  /** Whether that process has none that makes it ready, and is not being stopped: for a moment so in each start, for long where it is stuck. */
  lacksStartup(): Promise<boolean>;
  /**
   * Resolves when the server accepts connections. It outlives this process; its log is `server.log` in the cluster. To be called only when
   * the socket does not answer: lock files that no server holds are removed first.
   */
  start(): Promise<void>;
  /**
   * Ends all connections and resolves when the server is gone; by then another process may have started the next. `immediate` is for one
   * that does not answer: what is committed is recovered by the next start.
   */
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
}

/** `run` works in the cluster's parent folder. */
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
      const given = Object.entries({ ...settings, unix_socket_directories: socketDirectory });
      const options = given.map(([key, value]) => `-c ${key}=${value}`).join(' ');
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
      // pg_ctl's own waiting looks for a cluster without a server, so it would wait for the end of one that another process starts at once.
      while (server !== undefined && (await findServer(cluster)) === server) {
        if (exitCode !== 0 || deadline.aborted) {
          throw new Error(`could not stop the server of ${cluster}: ${errors || 'it takes more than a minute'}`);
        }
        await delay(10);
      }
    },
  };
}
