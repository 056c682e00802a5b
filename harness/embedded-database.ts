import { join } from 'node:path';
import { createSilentLog } from '../src/log.ts';
import { migrate } from '../src/store/migrate.ts';
import { createDatabase } from '../src/store/postgres/database.ts';
import { startPostgres } from './start-postgres.ts';

/** Starts the embedded PostgreSQL with all tables in a folder of `directory`. Disposing stops it; the caller removes the folder. */
export async function openEmbeddedDatabase(directory: string) {
  await using cleanup = new AsyncDisposableStack();
  const { connection } = cleanup.use(await startPostgres(join(directory, 'database')));
  const log = createSilentLog();
  const database = cleanup.use(createDatabase({ connection, log, max: 2 }));
  await migrate(database);
  const disposables = cleanup.move();
  return { connection, database, [Symbol.asyncDispose]: () => disposables.disposeAsync() };
}
