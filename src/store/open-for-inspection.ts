import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createSilentLog } from '../log.ts';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import { findPostgresPrograms } from './embedded/programs.ts';
import { createDatabase } from './postgres/database.ts';
import { inspectDatabase } from './postgres/inspect-database.ts';

/** Does not migrate. An embedded database that does not exist stays so; `mayStart`: one that exists is started. */
export async function openForInspection(
  { databaseUrl, dataDir }: { databaseUrl: string | null; dataDir: string },
  { signal, mayStart }: { signal: AbortSignal; mayStart: boolean },
) {
  await using cleanup = new AsyncDisposableStack();
  const isMissing = databaseUrl === null && (!mayStart || !existsSync(join(dataDir, 'postgres')));
  const log = createSilentLog();
  const open = async () => {
    const connection = databaseUrl
      ? { connectionString: databaseUrl }
      : owned.use(await startEmbeddedPostgres({ dataDir, log, signal })).connection;
    const database = createDatabase({ connection, log, max: 2 });
    owned.defer(() => database.destroy());
    return database;
  };
  let opened: ReturnType<typeof open> | undefined;
  const owned = cleanup.move();
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
