import { type Config, parseConfig, readEnvironment } from '../config/config.ts';
import { createSilentLog } from '../log.ts';
import { openDatabase } from '../store/open-database.ts';
import type { Database } from '../store/postgres/database.ts';
import type { Store } from '../store/store.ts';
import { findProjectByName } from '../store/tables/repositories/projects.ts';

/** The database of the environment, and its queue once the command sends something: most only read. Both close with `cleanup`. */
export async function openCommandStore(
  signal: AbortSignal,
  cleanup: AsyncDisposableStack,
): Promise<{ config: Config; database: Database; openStore: () => Promise<Store> }> {
  const config = parseConfig(readEnvironment(), 'keys');
  const { databaseUrl, dataDir } = config;
  // Errors are printed as the one line that ends the command.
  const log = createSilentLog();
  const opened = await openDatabase({ databaseUrl, dataDir, log, signal, max: 2 }, cleanup);
  const { connection, database, queueSchema } = opened;
  const openStore = async () => {
    const { createQueue } = await import('../store/schedule/queue.ts');
    const queue = createQueue({ connection, schema: queueSchema, log });
    await queue.start();
    cleanup.defer(() => queue.stop());
    return { database, queue };
  };
  return { config, database, openStore };
}

/** The id of the repository's project. Throws an error for the operator if there is none. */
export async function requireKnownProject(
  database: Database,
  { owner, repo }: { owner: string; repo: string },
): Promise<string> {
  const project = await findProjectByName(database, { owner, repo });
  if (project) return project.project_id;
  throw new Error(`${owner}/${repo} is not a project: install the App on it, or create its first API key`);
}
