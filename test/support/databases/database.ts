import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { createSilentLog } from '../../../src/log.ts';
import { type Connection, createDatabase, type Database } from '../../../src/store/postgres/database.ts';
import { createQueue, type Queue } from '../../../src/store/schedule/queue.ts';
import { wakeWorkers } from '../../../src/store/schedule/workers.ts';
import type { Store } from '../../../src/store/store.ts';
import { failures } from '../run/failures.ts';
import { administer, inDatabase } from './server.ts';

export interface TestDatabase extends AsyncDisposable {
  connection: Connection;
  database: Database;
  store: Store;
  /** Ends every other connection, as a server does that goes down, and lets nobody in until it is called with true again. */
  setReachable(isReachable: boolean): Promise<void>;
  /** Takes no writes, as a standby does or a managed server without room, until it is called with true again; then only new connections write. */
  setWritable(isWritable: boolean): Promise<void>;
}

/**
 * A database of its own, with all tables: make one per test file, at its top or in `beforeAll`, and dispose of it in `afterAll`.
 * It is dropped then, unless a test of the file failed: what is in it may tell why.
 * `queue: 'real'` carries entries by pg-boss; by default nobody gets them.
 */
export async function createTestDatabase({
  queue: kind = 'idle',
}: {
  queue?: 'idle' | 'real';
} = {}): Promise<TestDatabase> {
  const { server, template, strategy } = inject('postgres');
  const name = `pagewright_test_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `create database ${name} template ${template} ${strategy}`);
  const connection = inDatabase(server, name);
  const log = createSilentLog();
  const database = createDatabase({ connection, log });
  const queue = kind === 'real' ? createQueue({ connection, log }) : idleQueue;
  await queue.start();
  const endOthers = () =>
    administer(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  return {
    connection,
    database,
    store: { database, queue },
    async setReachable(isReachable) {
      await administer(server, `alter database ${name} allow_connections ${isReachable}`);
      if (!isReachable) await endOthers();
    },
    async setWritable(isWritable) {
      await administer(
        server,
        `alter database ${name} set default_transaction_read_only = ${isWritable ? 'off' : 'on'}`,
      );
      if (!isWritable) await endOthers();
    },
    async [Symbol.asyncDispose]() {
      await queue.stop();
      await database.destroy();
      if (failures.size > 0) console.warn(`kept the database ${name} of a failed test`);
      else await administer(server, `drop database ${name} with (force)`);
    },
  };
}

const idleQueue: Queue = {
  schema: 'pgboss',
  start: async () => {},
  sendWakeUp: wakeWorkers,
  send: async () => {},
  workWebhookWakeUps: async () => {},
  work: async () => {},
  workSchedule: async () => {},
  triggerSchedule: async () => {},
  stopWorking: async () => {},
  stop: async () => {},
};
