import type { Database } from './database.ts';
import type { Queue } from './queue.ts';

/** What every story works on: the tables, which are the truth, and the queue, which only wakes somebody up. */
export interface Store {
  database: Database;
  queue: Queue;
}
