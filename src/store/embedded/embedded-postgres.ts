import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Log } from '../../log.ts';
import { realTiming } from '../../timing.ts';
import { ensureCluster } from './embedded-cluster.ts';
import { keepPresence } from './keep-presence.ts';
import { choosePostgresAccount } from './postgres-account.ts';
import { createPostgresCommand } from './postgres-command.ts';
import { createPostgresControl, type PostgresControl } from './postgres-control.ts';
import { connectPresence, isLastToLeave, type PostgresConnection } from './postgres-presence.ts';
import { findPostgresPrograms } from './postgres-programs.ts';
import { ensureSocketDirectory } from './postgres-socket-directory.ts';

/** A server that runs, and this process's right to use it. */
export interface EmbeddedPostgres extends AsyncDisposable {
  connection: PostgresConnection;
  /** Whether this call started the server; false: it was running and is adopted. */
  started: boolean;
  /**
   * Whoever leaves last turns off the light: stops the server unless another process has it from `startEmbeddedPostgres` or any program is
   * connected, whoever started it. Close your own connections first, or they keep it on. May be called again; never leaves it half stopped.
   */
  stop(): Promise<void>;
}

/**
 * The database when none is given: a PostgreSQL server of our own, whose cluster is `<dataDir>/postgres` and which listens on a socket file
 * that only its account may reach. A server that runs already, left by a crash or used by another process, is adopted; any number of
 * processes may call this at once. The server is a process of its own: it outlives this one when this one is killed, and is then adopted by
 * the next. One that ends while it is used is started again, until `stop` or an abort of `signal`. An abort before that leaves nothing
 * behind and throws the signal's reason; anything else that fails throws an error naming DATABASE_URL.
 */
export async function startEmbeddedPostgres({
  dataDir,
  log,
  signal,
  stuckAfterMs = realTiming.embeddedDatabase.stuckAfterMs,
}: {
  dataDir: string;
  log?: Log;
  signal?: AbortSignal;
  stuckAfterMs?: number;
}): Promise<EmbeddedPostgres> {
  try {
    signal?.throwIfAborted();
    const { control, connection } = await prepare({ dataDir, signal });
    const { started, release } = await keepPresence({ control, connection, stuckAfterMs, log, signal });
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= release().then((presence) => leave({ control, connection, presence }));
      return stopped;
    };
    if (signal?.aborted) await stop();
    signal?.throwIfAborted();
    return { connection, started, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    signal?.throwIfAborted();
    throw new Error(
      `could not start the embedded database in ${dataDir}; to use a PostgreSQL server of your own, set DATABASE_URL`,
      { cause: error },
    );
  }
}

/** Everything short of a server: the programs, the account, the cluster, the folder of the socket. */
async function prepare({ dataDir, signal }: { dataDir: string; signal: AbortSignal | undefined }) {
  const user = 'pagewright';
  const database = 'pagewright';
  const programs = await findPostgresPrograms();
  await mkdir(dataDir, { recursive: true });
  const directory = await realpath(dataDir);
  const cluster = join(directory, 'postgres');
  const { account, majorVersion } = await choosePostgresAccount({ programs, directory, cluster });
  const run = createPostgresCommand({ programs, account, directory });
  await ensureCluster({ cluster, majorVersion, account, run, user, database, signal });
  const socketDirectory = await ensureSocketDirectory({ cluster, account });
  const connection: PostgresConnection = { host: socketDirectory, port: 5432, user, database, ssl: false };
  return { control: createPostgresControl({ cluster, socketDirectory, run }), connection };
}

async function leave({
  control,
  connection,
  presence,
}: {
  control: PostgresControl;
  connection: PostgresConnection;
  presence: Client;
}): Promise<void> {
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
    // Somebody else stopped it, or it was killed.
    if (!(await control.isRunning())) return presence.end();
    if (deadline.aborted) throw new Error(`could not connect to ${connection.host}`, { cause: leaver });
    await delay(50);
  }
}
