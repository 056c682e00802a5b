import type { Database, Tx } from './postgres/database.ts';
import type { Queue } from './schedule/queue.ts';

/** What every story works on: the tables, which are the truth, and the queue, which only wakes somebody up. */
export interface Store {
  database: Database;
  queue: Queue;
}

/** The same within one transaction: what is put into the queue is there when it commits. */
export interface StoreTx {
  tx: Tx;
  queue: Queue;
}

export function inTransaction<T>({ database, queue }: Store, work: (store: StoreTx) => Promise<T>): Promise<T> {
  return database.transaction().execute((tx) => work({ tx, queue }));
}
