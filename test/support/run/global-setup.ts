import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createPrivateKey } from '../../../harness/create-private-key.ts';
import { createLog } from '../../../src/log.ts';
import { startEmbeddedPostgres } from '../../../src/store/embedded/embedded-postgres.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { type Connection, createDatabase } from '../../../src/store/postgres/database.ts';
import { createQueue } from '../../../src/store/schedule/queue.ts';
import { administer, inDatabase } from '../databases/server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of this test run, and a migrated database on it to copy. */
    postgres: { server: Connection; template: string };
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
  await prepare(inDatabase(server, template));
  project.provide('postgres', { server, template });
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
  const { connection, stop } = await startEmbeddedPostgres({ dataDir });
  // What is lost when the machine dies is a test's: nothing waits for the disk.
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await administer(connection, `alter system set ${setting} = off`);
  await administer(connection, 'select pg_reload_conf()');
  return {
    connection,
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(dataDir, { recursive: true });
    },
  };
}

async function prepare(connection: Connection): Promise<void> {
  const log = createLog({ level: 'silent', redact: (line) => line });
  await using database = createDatabase({ connection, log });
  await migrate(database);
  const queue = createQueue({ connection, log });
  await queue.start();
  await queue.stop();
}
