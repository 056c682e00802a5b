import type { Database, Tx } from './postgres/database.ts';
import type { Queue } from './schedule/queue.ts';

/** The tables hold the truth; the queue only wakes workers up. */
export interface Store {
  database: Database;
  queue: Queue;
}

/** Queue entries appear when the transaction commits. */
export interface StoreTx {
  tx: Tx;
  queue: Queue;
}

export function inTransaction<T>({ database, queue }: Store, work: (store: StoreTx) => Promise<T>): Promise<T> {
  return database.transaction().execute((tx) => work({ tx, queue }));
}
