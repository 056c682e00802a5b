import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createPrivateKey } from '../../../harness/create-private-key.ts';
import { startPostgres } from '../../../harness/start-postgres.ts';
import { createSilentLog } from '../../../src/log.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { type Connection, createDatabase } from '../../../src/store/postgres/database.ts';
import { inspectDatabase } from '../../../src/store/postgres/inspect-database.ts';
import { createQueue } from '../../../src/store/schedule/queue.ts';
import { administer, inDatabase } from '../databases/server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of this test run, and a migrated database on it to copy. */
    postgres: {
      server: Connection;
      template: string;
      /** How to copy it. */
      strategy: string;
    };
    /** Of the Apps of this test run: PEM, PKCS #8. Making one takes longer than many a test. */
    privateKey: string;
  }
}

/** Starts one PostgreSQL for the whole run, or takes the one at TEST_DATABASE_URL, and prepares the template of all test databases. */
export default async function setup(project: TestProject) {
  const running = await startServer();
  const server = running.connection;
  const template = `pagewright_template_${randomUUID().slice(0, 8)}`;
  await administer(server, `create database ${template}`);
  const version = await prepare(inDatabase(server, template));
  // Copying files takes half the time of writing their blocks into the log. PostgreSQL 14 knows nothing else, and no word for it.
  const strategy = version < 15 ? '' : 'strategy file_copy';
  project.provide('postgres', { server, template, strategy });
  project.provide('privateKey', createPrivateKey());
  return async () => {
    await administer(server, `drop database ${template}`);
    await running[Symbol.asyncDispose]();
  };
}

async function startServer(): Promise<AsyncDisposable & { connection: Connection }> {
  const { TEST_DATABASE_URL: connectionString } = process.env;
  if (connectionString) return { connection: { connectionString }, [Symbol.asyncDispose]: async () => {} };
  const dataDir = await mkdtemp(join(tmpdir(), 'pagewright-test-'));
  const { connection, ...server } = await startPostgres(dataDir);
  // What is lost when the machine dies is a test's: nothing waits for the disk.
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await administer(connection, `alter system set ${setting} = off`);
  await administer(connection, 'select pg_reload_conf()');
  return {
    connection,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Makes all tables. Returns the server's major version. */
async function prepare(connection: Connection): Promise<number> {
  const log = createSilentLog();
  await using database = createDatabase({ connection, log });
  await migrate(database);
  const queue = createQueue({ connection, log });
  await queue.start();
  await queue.stop();
  return Number.parseInt((await inspectDatabase(database)).version, 10);
}
