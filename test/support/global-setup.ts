import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createLog } from '../../src/log.ts';
import { type Connection, createDatabase } from '../../src/store/database.ts';
import { startEmbeddedPostgres } from '../../src/store/embedded-postgres.ts';
import { migrate } from '../../src/store/migrate.ts';
import { createQueue } from '../../src/store/queue.ts';
import { administer, inDatabase } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of this test run, and a migrated database on it to copy. */
    postgres: { server: Connection; template: string };
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
