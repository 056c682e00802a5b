import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createSilentLog, type Log } from '../log.ts';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import { findPostgresPrograms } from './embedded/programs.ts';
import { migrate, readSchemas } from './migrate.ts';
import {
  type Connection,
  createDatabase,
  createPooledDatabase,
  type Database,
  type PoolUse,
} from './postgres/database.ts';
import { inspectDatabase } from './postgres/inspect-database.ts';

/** Connects to `databaseUrl`, or starts the embedded PostgreSQL, and migrates. An abort throws the signal's reason. */
export async function openDatabase(
  options: { databaseUrl: string | null; dataDir: string; log: Log; signal: AbortSignal; max?: number },
  cleanup: AsyncDisposableStack,
): Promise<{ connection: Connection; database: Database; queueSchema: string; readPoolUse: () => PoolUse }> {
  const { databaseUrl, dataDir, log, signal, ...pool } = options;
  const connection: Connection = databaseUrl
    ? { connectionString: databaseUrl }
    : cleanup.use(await startEmbeddedPostgres({ dataDir, log, signal })).connection;
  const { database, readPoolUse } = createPooledDatabase({ connection, log, ...pool });
  cleanup.use(database);
  await migrate(database, { log, signal });
  signal.throwIfAborted();
  const { queue: queueSchema } = await readSchemas(database);
  return { connection, database, queueSchema, readPoolUse };
}

/** Does not migrate. An embedded database that does not exist stays so; `mayStart`: one that exists is started. */
export async function openForInspection(
  { databaseUrl, dataDir }: { databaseUrl: string | null; dataDir: string },
  { signal, mayStart }: { signal: AbortSignal; mayStart: boolean },
) {
  const owned = new AsyncDisposableStack();
  const isMissing = databaseUrl === null && (!mayStart || !existsSync(join(dataDir, 'postgres')));
  const log = createSilentLog();
  const open = async () => {
    const connection = databaseUrl
      ? { connectionString: databaseUrl }
      : owned.use(await startEmbeddedPostgres({ dataDir, log, signal })).connection;
    return owned.use(createDatabase({ connection, log, max: 2 }));
  };
  let opened: ReturnType<typeof open> | undefined;
  return {
    async inspect() {
      if (isMissing) {
        await findPostgresPrograms();
        return undefined;
      }
      opened ??= open();
      return inspectDatabase(await opened);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
