import { Transaction } from 'kysely';
import { type Database, type Tx, transact } from './postgres/database.ts';
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

/** Joins the transaction that `database` belongs to, or begins one. `work` changes nothing outside of it: it may run twice. */
export function inTransaction<T>({ database, queue }: Store, work: (store: StoreTx) => Promise<T>): Promise<T> {
  if (database instanceof Transaction) return work({ tx: database, queue });
  return transact(database, (tx) => work({ tx, queue }));
}
