import { DummyDriver, PostgresDialect, Transaction } from 'kysely';
import type { Tables } from '../tables/schema.ts';
import type { Database, Tx } from './database.ts';

/**
 * Results of statements of one connection, which are sent in this order without waiting for each other's answers: one round trip. What `send`
 * returns has settled before this throws, so no statement follows the rollback. Kysely by itself waits for each answer.
 */
export function sendTogether<const Sent extends readonly Promise<unknown>[]>(
  tx: Database,
  send: (tx: Tx) => Sent,
): Promise<{ -readonly [Key in keyof Sent]: Awaited<Sent[Key]> }> {
  const executor = tx.getExecutor();
  return executor.provideConnection(async (connection) => {
    const onConnection = executor.withConnectionProvider({ provideConnection: (use) => use(connection) });
    const sent = send(new Transaction<Tables>({ ...unused, executor: onConnection }));
    await Promise.allSettled(sent);
    return await Promise.all(sent);
  });
}

/** Only the executor reaches the database. */
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('a transaction opens no connection')) });
const unused = { config: { dialect }, dialect, driver: new DummyDriver() };
