import { createSilentLog } from '../../src/log.ts';
import { migrate } from '../../src/store/migrate.ts';
import { type Connection, createDatabase } from '../../src/store/postgres/database.ts';
import { createQueue } from '../../src/store/schedule/queue.ts';

export async function openStore(connection: Connection) {
  await using cleanup = new AsyncDisposableStack();
  const log = createSilentLog();
  const database = cleanup.use(createDatabase({ connection, log }));
  await migrate(database);
  const queue = createQueue({ connection, log });
  await queue.start();
  cleanup.defer(() => queue.stop());
  const disposables = cleanup.move();
  return { database, queue, log, [Symbol.asyncDispose]: () => disposables.disposeAsync() };
}
