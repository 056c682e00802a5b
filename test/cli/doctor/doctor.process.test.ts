// The doctor beside a running service with its own GitHub, model server and database, and without them.
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { retire } from '../../../src/store/embedded/cluster.ts';
import { runPagewright } from '../../support/run/run-pagewright.ts';
import { openServedWorld } from '../../support/worlds/served-world.ts';

type Served = Awaited<ReturnType<typeof openServedWorld>>;
const findingSchema = z.object({
  part: z.string(),
  state: z.string(),
  detail: z.string(),
  todo: z.string().optional(),
});
let served: Served;

beforeAll(async () => {
  served = await openServedWorld();
});
afterAll(() => served[Symbol.asyncDispose]());

async function doctor(args: string[], environment: Record<string, string>, cwd: string) {
  const { code, stdout, stderr } = await runPagewright(['doctor', ...args], { environment, cwd });
  expect(stderr).toBe('');
  return { code, stdout };
}

async function examine(environment: Record<string, string>, cwd = served.world.directory, ...args: string[]) {
  const { code, stdout } = await doctor(['--json', ...args], environment, cwd);
  const found = stdout
    .trimEnd()
    .split('\n')
    .map((line) => findingSchema.parse(JSON.parse(line)));
  return { code, stateOf: Object.fromEntries(found.map(({ part, state }) => [part, state])), found };
}

test('beside a service that works, nothing is broken, and each line says what is so', async () => {
  const { environment, directory } = served.world;
  const { code, stateOf, found } = await examine({ ...environment, PUBLIC_URL: served.service.url });
  expect(found.filter(({ state }) => state === 'broken')).toEqual([]);
  expect(code).toBe(0);
  const { node, git, database, outbound, clock, model, public_url, github_app, github_permissions } = stateOf;
  const right = { node, git, database, outbound, clock, model, public_url, github_app, github_permissions };
  expect(new Set(Object.values(right))).toEqual(new Set(['ok']));
  const { stdout } = await doctor([], environment, directory);
  expect(stdout).toMatch(/^ok {7}node {17}Node\.js 24\./m);
});

test('without a configuration, the machine is checked, and each missing variable is named', async () => {
  const { code, stateOf, found } = await examine({ DATA_DIR: served.world.environment.DATA_DIR ?? '' });
  expect(code).toBe(1);
  expect(stateOf).toMatchObject({ node: 'ok', git: 'ok', data_dir: 'ok', outbound: 'ok', configuration: 'broken' });
  expect(found.filter(({ part }) => part === 'configuration').map(({ detail }) => detail)).toEqual([
    expect.stringContaining('OPENAI_MODEL'),
    expect.stringContaining('OPENAI_API_KEY'),
  ]);
});

test('what does not work is broken or a warning, with what to do, and the exit code is 1', async () => {
  const environment = {
    ...served.world.environment,
    PUBLIC_URL: 'http://127.0.0.1:1',
    DATABASE_URL: 'postgresql://x:a-password@127.0.0.1:1/x',
    NODE_EXTRA_CA_CERTS: '',
    HTTPS_PROXY: 'no url',
  };
  const { code, stateOf, found } = await examine(environment);
  expect(code).toBe(1);
  expect(stateOf).toMatchObject({ database: 'broken', outbound: 'broken', public_url: 'warning', node: 'ok' });
  for (const { state, todo } of found) expect(todo === undefined).toBe(state === 'ok');
  expect(JSON.stringify(found)).not.toContain('a-password');
});

test('--fix closes a file of secrets that others can read, and leaves its content', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-doctor-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const key = join(directory, 'secrets.key');
  await writeFile(key, 'a key');
  await chmod(key, 0o644);
  const environment = { ...served.world.environment, DATA_DIR: directory };
  expect((await examine(environment, directory)).stateOf).toMatchObject({ secret_files: 'broken' });
  expect((await stat(key)).mode & 0o777).toBe(0o644);
  expect((await examine(environment, directory, '--fix')).stateOf).toMatchObject({ secret_files: 'ok' });
  expect((await stat(key)).mode & 0o777).toBe(0o600);
});

test('warns of an embedded database that DATABASE_URL replaced, unless it was moved', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'pagewright-test-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const environment = { ...served.world.environment, DATA_DIR: dataDir };
  const look = async () => (await examine(environment)).found.find(({ part }) => part === 'embedded_database');
  expect(await look()).toMatchObject({ state: 'ok' });
  const cluster = join(dataDir, 'postgres');
  await mkdir(cluster);
  await writeFile(join(cluster, 'PG_VERSION'), '18\n');
  expect(await look()).toMatchObject({ state: 'warning', todo: expect.stringContaining('pagewright move-database') });
  await retire(cluster, 'db.example.com/pagewright');
  expect(await look()).toMatchObject({ state: 'ok' });
});
