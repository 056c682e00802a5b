import { mkdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toUrl } from '../../../harness/world.ts';
import { choosePostgresAccount, ensureSocketDirectory } from '../../../src/store/embedded/account.ts';
import { ensureCluster } from '../../../src/store/embedded/cluster.ts';
import type { PostgresConnection } from '../../../src/store/embedded/presence.ts';
import { createPostgresCommand, findPostgresPrograms } from '../../../src/store/embedded/programs.ts';
import { createPostgresControl } from '../../../src/store/embedded/server.ts';

/** A PostgreSQL server that a trial can stop and start. Disposing ends it. */
export interface DatabaseServer extends AsyncDisposable {
  connection: PostgresConnection;
  databaseUrl: string;
  /** Stops it as a crash would (`pg_ctl stop -m immediate`). Does nothing when it is stopped. */
  stop(): Promise<void>;
  /** Starts it again with the committed data. Does nothing when it runs. */
  start(): Promise<void>;
}

/** Makes a cluster in the folder from the embedded database's programs, and starts it. The caller removes the folder. */
export async function startDatabaseServer({ directory }: { directory: string }): Promise<DatabaseServer> {
  await mkdir(directory, { recursive: true });
  const parent = await realpath(directory);
  const cluster = join(parent, 'postgres');
  const user = 'pagewright';
  const database = 'pagewright';
  const programs = await findPostgresPrograms();
  const { account, majorVersion } = await choosePostgresAccount({ programs, directory: parent, cluster });
  const run = createPostgresCommand({ programs, account, directory: parent });
  await ensureCluster({ cluster, majorVersion, account, run, user, database, signal: undefined });
  const socketDirectory = await ensureSocketDirectory({ cluster, account });
  const control = createPostgresControl({ cluster, socketDirectory, run });
  const connection: PostgresConnection = { host: socketDirectory, port: 5432, user, database, ssl: false };

  async function start(): Promise<void> {
    if (!(await control.isRunning())) await control.start();
  }
  async function stop(): Promise<void> {
    if (!(await control.isRunning())) return;
    const { exitCode, errors } = await run('pg_ctl', ['-D', 'postgres', 'stop', '-w', '-m', 'immediate']);
    if (exitCode !== 0) throw new Error(`could not stop the server of ${cluster}: ${errors}`);
  }
  await start();
  return {
    connection,
    databaseUrl: toUrl(connection),
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      if (socketDirectory !== cluster) await rm(socketDirectory, { recursive: true, force: true });
    },
  };
}
