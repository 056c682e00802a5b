import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { inject } from 'vitest';
import { createOctokit } from '../../../../harness/create-octokit.ts';
import { openWorld } from '../../../../harness/world.ts';
import type { Script } from '../../../../local/model/script.ts';
import { createSilentLog } from '../../../../src/log.ts';
import { createDatabase, type Database } from '../../../../src/store/postgres/database.ts';
import { administer, inDatabase } from '../../../support/databases/server.ts';

/** The newest row of `database.sql`. */
const writtenAt = '2026-11-23T22:11:30Z';

/** What `database.sql` holds, as version 0.1.0 left it. Valid only there, and in two so that scanners do not find it. */
export const older = {
  projectId: 'prj_01m857daaaecramp12zdjj678a',
  key: `pagewright${'_yJ5bAuXGjYvtarkGdOkyoHGeT2Y1u7QQ4O9kXu'}`,
  /** Its pull request 1 is open. */
  done: 'job_01m857dacjf6c8wwhrskrv08s9',
  /** The model refused. */
  failed: 'job_01m857dcqhf6c8wwjkdymq6xzg',
  /** With pull request 2. */
  archived: 'job_01m857ddgef6c8wwka5tvgy8my',
  /** Its pull request 3 is open. A message waits, and a delivery with a comment is not processed. */
  followed: 'job_01m857denff6c8wwm7wny30723',
  /** Its worker was killed after the first turn. A message waits. */
  broken: 'job_01m857dfz6f6c8wwmrskbbwvm9',
  /** Its worker was killed at the push: the publication is frozen. */
  frozen: 'job_01m857dg99f6c8wwng0nvehyda',
  /** No worker saw it. */
  waiting: 'job_01m857dmytf239wj2knq1epzqw',
};

/** The commit of the frozen publication. */
export const frozenSha = '5596e06ec94aa7fc641ea5ec4a94e6fcb09ccfba';

/**
 * A world with the database and the repository that processes of version 0.1.0, with migrations up to 0005, left behind when SIGKILL
 * ended them. `database.sql` is pg_dump's text without comments; GitHub's numbers and addresses became `{{names}}`.
 */
export async function openOlderWorld({ script }: { script: Script }) {
  await using cleanup = new AsyncDisposableStack();
  const privateKey = inject('privateKey');
  const world = cleanup.use(await openWorld({ script, privateKey, openDatabase: createEmptyDatabase }));
  const { github, database } = world;
  const repository = await github.addRepository({ owner: 'acme', name: 'docs', files: {}, private: true });
  const installationId = github.install({ account: 'acme', repositories: 'all' });
  github.setPermission(repository.fullName, 'rita', 'write');
  await restoreRepository(repository.gitDirectory);
  const docs = { owner: 'acme', repo: 'docs' };
  const { pulls } = createOctokit(world, installationId).rest;
  for (const [title, end] of [
    ['Write page done', older.done],
    ['Write page archived', older.archived],
    ['Write page follow', older.followed],
  ] as const) {
    const head = `pagewright/${title.toLowerCase().replaceAll(' ', '-')}-${end.slice(-8)}`;
    await pulls.create({ ...docs, title, head, base: 'main' });
  }
  const { id: commentId, createdAt } = world.rita.comment(repository.fullName, 3, 'Write page commented');
  await restoreDatabase(database.database, {
    installationId,
    repositoryId: repository.id,
    ritaId: world.rita.account.id,
    commentId,
    commentedAt: createdAt,
    webUrl: github.webUrl,
  });
  const { projectId, key } = older;
  const disposables = cleanup.move();
  return { ...world, repository, pulls, projectId, key, [Symbol.asyncDispose]: () => disposables.disposeAsync() };
}

async function createEmptyDatabase() {
  const { server } = inject('postgres');
  const name = `pagewright_test_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `create database ${name}`);
  const connection = inDatabase(server, name);
  const database = createDatabase({ connection, log: createSilentLog() });
  return {
    connection,
    database,
    async [Symbol.asyncDispose]() {
      await database.destroy();
      await administer(server, `drop database ${name} with (force)`);
    },
  };
}

const readFixture = (name: string) => readFile(join(import.meta.dirname, name), 'utf8');

async function restoreRepository(gitDirectory: string): Promise<void> {
  const importing = promisify(execFile)('git', ['-C', gitDirectory, 'fast-import', '--quiet', '--force']);
  importing.child.stdin?.end(await readFixture('repository.fast-export'));
  await importing;
}

/** GitHub's numbers are this world's, and the dates are as recent as if the older version had just ended. */
async function restoreDatabase(database: Database, places: Record<string, string | number>): Promise<void> {
  const text = await readFixture('database.sql');
  await sql.raw(text.replace(/\{\{(\w+)\}\}/g, (_all, name) => String(places[name]))).execute(database);
  const { rows: dates } = await sql<{ schema: string; table: string; name: string }>`
    select nspname as schema, relname as table, attname as name from pg_attribute
      join pg_class on pg_class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
    where nspname in ('public', 'pgboss') and relkind = 'r' and atttypid = 'timestamptz'::regtype
      and not attisdropped`.execute(database);
  const passed = sql`(now() - ${writtenAt}::timestamptz)`;
  for (const { schema, table, name } of dates)
    await sql`update ${sql.id(schema, table)} set ${sql.ref(name)} = ${sql.ref(name)} + ${passed}`.execute(database);
}
