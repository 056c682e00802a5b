import type { Config } from '../config/config.ts';
import type { Log } from '../log.ts';
import { startEmbeddedPostgres } from '../store/embedded/embedded-postgres.ts';
import { migrate } from '../store/migrate.ts';
import { createDatabase, type Database } from '../store/postgres/database.ts';

/** The service's database, migrated: the one at DATABASE_URL, else the embedded one, whether or not the service runs it now. */
export async function openDatabase({
  config,
  log,
  signal,
}: {
  config: Pick<Config, 'databaseUrl' | 'dataDir'>;
  log: Log;
  signal: AbortSignal;
}): Promise<AsyncDisposable & { database: Database }> {
  await using opened = new AsyncDisposableStack();
  const connection = config.databaseUrl
    ? { connectionString: config.databaseUrl }
    : opened.use(await startEmbeddedPostgres({ dataDir: config.dataDir, signal })).connection;
  const database = opened.use(createDatabase({ connection, log, max: 1 }));
  await migrate(database);
  const kept = opened.move();
  return { database, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
