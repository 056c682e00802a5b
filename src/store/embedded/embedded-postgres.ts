import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Log } from '../../log.ts';
import { realTiming } from '../../timing.ts';
import { choosePostgresAccount, ensureSocketDirectory } from './account.ts';
import { assertClusterExists, assertNotRetired, ensureCluster, retire } from './cluster.ts';
import { connectPresence, isLastToLeave, keepServerPresence, type PostgresConnection } from './presence.ts';
import { createPostgresCommand, findPostgresPrograms } from './programs.ts';
import { createPostgresControl, type PostgresControl } from './server.ts';

export interface EmbeddedPostgres extends AsyncDisposable {
  connection: PostgresConnection;
  /** False: the server was running. */
  started: boolean;
  /** Stops the server, unless another process or any other connection uses it. Close your own connections first. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL server on a socket that only its account can reach, or adopts a running one, for example after a crash. Restarts it
 * if it ends while in use. An abort during the start leaves nothing behind and throws the signal's reason.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log?: Log;
  signal?: AbortSignal;
  stuckAfterMs?: number;
}): Promise<EmbeddedPostgres> {
  const { dataDir, log, signal, stuckAfterMs = realTiming.embeddedDatabase.stuckAfterMs } = options;
  try {
    signal?.throwIfAborted();
    const { cluster, control, connection } = await prepare({ dataDir, signal });
    const { started, release } = await keepServerPresence({ control, connection, stuckAfterMs, log, signal });
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= release().then((presence) => leave({ control, connection, presence }));
      return stopped;
    };
    if (signal?.aborted) await stop();
    signal?.throwIfAborted();
    // It may have been moved while this process waited for its server.
    await assertNotRetired(cluster).catch((error) => stop().then(() => Promise.reject(error)));
    return { connection, started, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    signal?.throwIfAborted();
    throw new Error(
      `could not start the embedded database in ${dataDir}; to use a PostgreSQL server of your own, set DATABASE_URL`,
      { cause: error },
    );
  }
}

interface SoleEmbeddedPostgres extends AsyncDisposable {
  connection: PostgresConnection;
  /** From then on, starting this database throws an error that names `target`. */
  retire(target: string): Promise<void>;
}

/** Starts an existing embedded database for this process alone: others wait until it is disposed of. Throws if any connection uses it. */
export async function startEmbeddedPostgresAlone(options: {
  dataDir: string;
  log: Log;
  signal: AbortSignal;
}): Promise<SoleEmbeddedPostgres> {
  const { dataDir, log, signal } = options;
  await assertClusterExists(dataDir);
  const { cluster, control, connection } = await prepare({ dataDir, signal });
  const { stuckAfterMs } = realTiming.embeddedDatabase;
  const { release } = await keepServerPresence({ control, connection, stuckAfterMs, log, signal });
  const presence = await release();
  const owner = await connectPresence(connection);
  await presence.end();
  if (owner instanceof Error) throw new Error(`could not connect to ${connection.host}`, { cause: owner });
  if (!(await isLastToLeave(owner))) {
    await owner.end();
    throw new Error(`the database in ${cluster} is in use: stop the service and all other commands first`);
  }
  return {
    connection,
    retire: (target) => retire(cluster, target),
    async [Symbol.asyncDispose]() {
      await control.stop();
      await owner.end();
    },
  };
}

async function prepare({ dataDir, signal }: { dataDir: string; signal: AbortSignal | undefined }) {
  const user = 'pagewright';
  const database = 'pagewright';
  const programs = await findPostgresPrograms();
  await mkdir(dataDir, { recursive: true });
  const directory = await realpath(dataDir);
  const cluster = join(directory, 'postgres');
  await assertNotRetired(cluster);
  const { account, majorVersion } = await choosePostgresAccount({ programs, directory, cluster });
  const run = createPostgresCommand({ programs, account, directory });
  await ensureCluster({ cluster, majorVersion, account, run, user, database, signal });
  const socketDirectory = await ensureSocketDirectory({ cluster, account });
  const connection: PostgresConnection = { host: socketDirectory, port: 5432, user, database, ssl: false };
  return { cluster, control: createPostgresControl({ cluster, socketDirectory, run }), connection };
}

async function leave(options: {
  control: PostgresControl;
  connection: PostgresConnection;
  presence: Client;
}): Promise<void> {
  const { control, connection, presence } = options;
  const deadline = AbortSignal.timeout(realTiming.embeddedDatabase.startWithinMs);
  for (;;) {
    const leaver = await connectPresence(connection);
    if (!(leaver instanceof Error)) {
      try {
        await presence.end();
        if (await isLastToLeave(leaver)) await control.stop();
      } finally {
        await leaver.end();
      }
      return;
    }
    if (!(await control.isRunning())) return presence.end();
    if (deadline.aborted) throw new Error(`could not connect to ${connection.host}`, { cause: leaver });
    await delay(50);
  }
}
