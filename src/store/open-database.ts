import type { Log } from '../log.ts';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import { migrate } from './migrate.ts';
import { type Connection, createPooledDatabase, type Database, type PoolUse } from './postgres/database.ts';
import { readSchemas } from './postgres/schemas.ts';

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
  cleanup.defer(() => database.destroy());
  await migrate(database, { log, signal });
  signal.throwIfAborted();
  const { queue: queueSchema } = await readSchemas(database);
  return { connection, database, queueSchema, readPoolUse };
}
