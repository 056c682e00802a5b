import { createSilentLog } from '../log.ts';
import { openDatabase } from '../store/open-database.ts';
import type { Database } from '../store/postgres/database.ts';
import type { Store } from '../store/store.ts';

/** The database of a command, and its queue once the command sends something: most only read. Both close with `cleanup`. */
export async function openCommandStore(
  { databaseUrl, dataDir, signal }: { databaseUrl: string | null; dataDir: string; signal: AbortSignal },
  cleanup: AsyncDisposableStack,
): Promise<{ database: Database; openStore: () => Promise<Store> }> {
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
  return { database, openStore };
}
