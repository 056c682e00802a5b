// The move of the embedded database to another server, by the command, and the service that goes on there.
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, inject, test, vi } from 'vitest';
import { z } from 'zod';
import { createCaller } from '../../../harness/caller.ts';
import { spawnService } from '../../../harness/processes/spawn-service.ts';
import { toUrl } from '../../../harness/world.ts';
import { startEmbeddedPostgres } from '../../../src/store/embedded/embedded-postgres.ts';
import { followInstruction } from '../../reliability/instructed-model.ts';
import { administer, inDatabase } from '../../support/databases/server.ts';
import { runPagewright } from '../../support/run/run-pagewright.ts';
import { createWorld, type World } from '../../support/worlds/world.ts';

// Each starts several processes, which a busy machine takes its time for.
vi.setConfig({ testTimeout: 180_000 });

const movedSchema = z.object({
  target: z.string(),
  rows: z.number(),
  seconds: z.number(),
  tables: z.array(z.object({ name: z.string(), rows: z.number() })),
});

async function createEmptyDatabase() {
  const { server } = inject('postgres');
  const name = `pagewright_test_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `create database ${name}`);
  const connection = inDatabase(server, name);
  return {
    url: toUrl(connection),
    async query(statement: string): Promise<unknown[]> {
      const client = new Client({ ...connection });
      await client.connect();
      const { rows } = await client.query(statement).finally(() => client.end());
      return rows;
    },
    [Symbol.asyncDispose]: () => administer(server, `drop database ${name} with (force)`),
  };
}

const embeddedIn = (world: World) => ({ DATA_DIR: join(world.directory, 'embedded'), DATABASE_URL: '' });

async function createAccess(world: World, environment: Record<string, string>) {
  const { stdout, stderr } = await runPagewright(['keys', 'create', 'acme/docs', '--name', 'ci', '--json'], {
    cwd: world.directory,
    environment: { ...world.environment, ...environment },
  });
  expect(stderr).toBe('');
  return z.object({ projectId: z.string(), key: z.string() }).parse(JSON.parse(stdout));
}

const move = (world: World, target: string, ...args: string[]) =>
  runPagewright(['move-database', ...args], {
    cwd: world.directory,
    environment: { DATA_DIR: embeddedIn(world).DATA_DIR, DATABASE_URL: target },
  });

test('a service continues on another server with everything that the embedded database held', async () => {
  await using world = await createWorld({ script: followInstruction });
  await using target = await createEmptyDatabase();
  const embedded = embeddedIn(world);
  await using before = await spawnService(world, { environment: embedded });
  const access = await createAccess(world, embedded);
  const caller = createCaller({ url: before.url, project: access });
  const { id: first } = await caller.create('First');
  await caller.settled(first);
  const others = await Promise.all(Array.from({ length: 12 }, (_, at) => caller.createOnce(`Job ${at}`, `key-${at}`)));

  const early = await move(world, target.url);
  expect([early.code, early.stdout]).toEqual([1, '']);
  expect(early.stderr).toMatch(/^move-database: .*is in use: stop the service/);
  // Some runs are open, some jobs wait, and the server is left behind.
  await before.kill('SIGKILL');
  const wrong = await move(world, world.environment.DATABASE_URL ?? '');
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('has rows; create an empty database')]);

  const { code, stdout, stderr } = await move(world, target.url, '--json');
  expect([code, stderr]).toEqual([0, '']);
  const moved = movedSchema.parse(JSON.parse(stdout));
  expect(moved.tables).toContainEqual({ name: 'jobs', rows: 13 });
  expect(moved.tables).toContainEqual({ name: 'idempotency_keys', rows: 13 });
  expect(moved.target).toMatch(/^database pagewright_test_\w+ at \S+$/);

  const again = await move(world, target.url);
  expect(again.stderr).toContain(`was moved to ${moved.target}: set DATABASE_URL to it`);
  const stale = await runPagewright(['start'], {
    cwd: world.directory,
    environment: { ...world.environment, ...embedded },
  });
  expect([stale.code, stale.stdout + stale.stderr]).toEqual([1, expect.stringContaining('was moved to')]);

  await using after = await spawnService(world, { environment: { ...embedded, DATABASE_URL: target.url } });
  const there = createCaller({ url: after.url, project: access });
  for (const { id } of others) expect(await there.settled(id)).toMatchObject({ status: 'completed' });
  // An accepted request is repeated, not done twice.
  expect((await there.createOnce('Job 3', 'key-3')).id).toBe(others[3]?.id);
  await there.message(first, 'Second');
  expect(await there.settled(first)).toMatchObject({ status: 'completed' });
  expect(world.github.duplicates()).toEqual([]);
  const pulls = world.github.requests.filter(({ method, path }) => method === 'POST' && /\/pulls$/.test(path));
  expect(pulls).toHaveLength(13);
});

test('answers that wait in the queue, and numbers of sequences, go on', async () => {
  await using world = await createWorld({ script: followInstruction });
  await using target = await createEmptyDatabase();
  const embedded = embeddedIn(world);
  const access = await createAccess(world, embedded);
  await using service = await spawnService(world, { environment: embedded });
  const { id } = await createCaller({ url: service.url, project: access }).create('First');
  await createCaller({ url: service.url, project: access }).settled(id);
  await service.kill('SIGTERM');
  const source = await openSource(embedded.DATA_DIR);
  await source.query(`
    insert into pgboss.job (name, data, start_after) values ('answer', '{"jobId":"job_a","key":"k"}', now() + interval '3 days');
    insert into webhooks (webhook_id, project_id, url, events, secret)
      values ('whk_1', '${access.projectId}', 'https://example.com', '["job.completed"]', '\\x00ff0a5c');
    insert into webhook_deliveries (delivery_id, webhook_id, type, job_id)
      select 'whd_' || n, 'whk_1', 'job.completed', '${id}' from generate_series(1, 7) n`);
  await source.close();

  const { code, stderr } = await move(world, target.url);
  expect([code, stderr]).toEqual([0, '']);
  expect(await target.query(`select name, state, data->>'key' as key from pgboss.job where name = 'answer'`)).toEqual([
    { name: 'answer', state: 'created', key: 'k' },
  ]);
  expect(await target.query(`select encode(secret, 'hex') as secret from webhooks`)).toEqual([{ secret: '00ff0a5c' }]);
  expect(
    await target.query(`insert into webhook_deliveries (delivery_id, webhook_id, type, job_id)
      values ('whd_8', 'whk_1', 'job.completed', '${id}') returning seq::int`),
  ).toEqual([{ seq: 8 }]);
});

test('a row that does not arrive as it was ends the move, and both databases are as before', async () => {
  await using world = await createWorld({ script: followInstruction });
  await using target = await createEmptyDatabase();
  const embedded = embeddedIn(world);
  const { projectId } = await createAccess(world, embedded);
  const first = await move(world, target.url);
  expect(first.stderr).toBe('');
  expect(await target.query('select project_id from projects')).toEqual([{ project_id: projectId }]);

  // Back again, with a server that changes what it stores.
  await rm(join(embedded.DATA_DIR, 'postgres/pagewright-moved'));
  await target.query(`truncate installations cascade;
    create function spoil() returns trigger language plpgsql as $$ begin new.name = 'other'; return new; end $$;
    create trigger spoil before insert on api_keys for each row execute function spoil()`);
  const spoilt = await move(world, target.url);
  expect([spoilt.code, spoilt.stderr]).toEqual([1, expect.stringContaining('public.api_keys differs from the source')]);
  expect(await target.query('select from projects')).toEqual([]);
  await target.query('drop trigger spoil on api_keys');
  expect(await move(world, target.url)).toMatchObject({ code: 0, stderr: '' });
  expect(await target.query('select name from api_keys')).toEqual([{ name: 'ci' }]);
});

test.each([
  ['DATABASE_URL is missing', {}, 'DATABASE_URL: set it to an empty database'],
  ['there is no embedded database', { DATABASE_URL: 'set' }, 'has no embedded database: set DATA_DIR'],
])('says what to do if %s', async (_name, { DATABASE_URL }: { DATABASE_URL?: string }, expected) => {
  await using target = await createEmptyDatabase();
  const cwd = await mkdtemp(join(tmpdir(), 'pagewright-move-'));
  const environment = { DATA_DIR: join(cwd, 'data'), ...(DATABASE_URL && { DATABASE_URL: target.url }) };
  const { code, stdout, stderr } = await runPagewright(['move-database'], { cwd, environment });
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(expected)]);
  expect(await readdir(cwd)).toEqual([]);
  expect(await target.query(`select from pg_tables where schemaname = 'public'`)).toEqual([]);
  await rm(cwd, { recursive: true });
});

async function openSource(dataDir: string) {
  const server = await startEmbeddedPostgres({ dataDir });
  const client = new Client(server.connection);
  await client.connect();
  return {
    query: (statement: string) => client.query(statement),
    async close() {
      await client.end();
      await server.stop();
    },
  };
}
