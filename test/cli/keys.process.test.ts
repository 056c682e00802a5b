import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { type LocalGitHub, startGitHub } from '../../local/github/start-github.ts';
import { createFindInstalledRepository } from '../../src/cli/find-installed-repository.ts';
import { runKeysCommand } from '../../src/cli/keys.ts';
import { createKeysCommand } from '../../src/cli/keys-command.ts';
import { describeError } from '../../src/cli/report-usage.ts';
import { parseConfig } from '../../src/config/config.ts';
import { createGitHubApp } from '../../src/github/auth/app.ts';
import { verifyKey } from '../../src/keys/project-keys.ts';
import { createSilentLog } from '../../src/log.ts';
import { startEmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts';
import { createDatabase } from '../../src/store/postgres/database.ts';
import { findProject } from '../../src/store/tables/repositories/projects.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';
import { runPagewright } from '../support/run/run-pagewright.ts';

const createdShape = z.strictObject({
  projectId: z.string().startsWith('prj_'),
  keyId: z.string().startsWith('key_'),
  key: z.string().startsWith('pagewright_'),
});
const anotherPem = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs1', format: 'pem' })
  .toString();
const { signal } = new AbortController();

let db: TestDatabase;
let github: LocalGitHub;
let directory: string;
let environment: Record<string, string>;

beforeAll(async () => {
  db = await createTestDatabase();
  directory = await mkdtemp(join(tmpdir(), 'pagewright-keys-'));
  const pem = inject('privateKey');
  github = await startGitHub({
    directory: join(directory, 'github'),
    app: { id: 77, slug: 'pagewright-test', privateKey: pem, webhookSecret: 'a secret of some length' },
  });
  for (const name of ['docs', 'site'])
    await github.addRepository({ owner: 'acme', name, files: { 'README.md': '# Docs' } });
  await github.install({ account: 'acme', repositories: ['docs'] });
  environment = {
    DATA_DIR: join(directory, 'data'),
    DATABASE_URL: toUrl(db.connection),
    APP_ID: '77',
    PRIVATE_KEY: pem,
    GITHUB_API_URL: github.apiUrl,
    GITHUB_URL: github.webUrl,
  };
});

afterAll(async () => {
  await github.stop();
  await rm(directory, { recursive: true });
  await db[Symbol.asyncDispose]();
});

const keys = (args: string, more: Record<string, string> = {}) =>
  runPagewright(['keys', ...args.split(' ')], { environment: { ...environment, ...more }, cwd: directory });

/** What the command prints or says is wrong, without a process. */
async function carryOut(args: string, more: Record<string, string> = {}): Promise<string> {
  const { github: credentials } = parseConfig({ ...environment, ...more }, 'keys');
  const findInstalledRepository = createFindInstalledRepository({
    github: createGitHubApp(credentials),
    appId: credentials.appId,
    signal,
  });
  const printed: string[] = [];
  const command = createKeysCommand(async (command) => {
    printed.push(...(await runKeysCommand({ command, database: db.database, findInstalledRepository })));
  });
  try {
    await command.parseAsync(args.split(' '), { from: 'user' });
    return printed.join('\n');
  } catch (error) {
    return describeError(error);
  }
}

describe('create', () => {
  test('creates a key and its project before the first webhook', async () => {
    const { code, stdout, stderr } = await keys('create acme/docs --name ci --json');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^\{.*\}\n$/);
    const created = createdShape.parse(JSON.parse(stdout));
    expect(await verifyKey(db.database, created.key)).toMatchObject({
      key_id: created.keyId,
      name: 'ci',
      expires_at: null,
    });
    expect(await findProject(db.database, created.projectId)).toMatchObject({
      owner: 'acme',
      repo: 'docs',
      default_branch: 'main',
      removed_at: null,
    });
  });

  test('prints the key, the note to copy it, and the expiry', async () => {
    const printed = await carryOut('create Acme/Docs --name deploy --expires 90d');
    const key = /^key {6}(\S+)$/m.exec(printed)?.[1] ?? '';
    const expiresAt = (await verifyKey(db.database, key))?.expires_at?.getTime() ?? 0;
    expect(Math.abs(expiresAt - Date.now() - 90 * 24 * 3_600_000)).toBeLessThan(60_000);
    expect(printed).toContain('does not show it again');
  });

  test.each(['acme/site', 'acme/nothing', 'nobody/docs'])(
    'reports that the App is not installed on %s',
    async (name) => {
      expect(await carryOut(`create ${name} --name ci`)).toBe(
        `${name} does not exist, or the App is not installed on it: install the App on the repository`,
      );
    },
  );
});

describe('list and revoke', () => {
  test('show a key without its secret, and revoke it', async () => {
    const made = await carryOut('create acme/docs --name for-list --json');
    const { key, keyId, projectId } = createdShape.parse(JSON.parse(made));
    const { stdout: table } = await keys('list acme/docs');
    expect(table).toMatch(/^KEY ID +NAME +KEY +STATE +CREATED +EXPIRES +LAST USED\n/);
    expect(table).toMatch(new RegExp(`^${keyId} +for-list +pagewright_…${key.slice(-4)} +active `, 'm'));
    expect(table).not.toContain(key.slice(0, -4));

    expect(await keys(`revoke ${keyId}`)).toEqual({ code: 0, stdout: `revoked ${keyId}\n`, stderr: '' });
    expect(await verifyKey(db.database, key)).toBeUndefined();
    expect(JSON.parse(await carryOut('list ACME/docs --json'))).toMatchObject({
      projectId,
      keys: expect.arrayContaining([expect.objectContaining({ keyId, state: 'revoked' })]),
    });
    const again = await keys(`revoke ${keyId}`);
    expect([again.code, again.stderr]).toEqual([1, `keys: key ${keyId} does not exist or is already revoked\n`]);
  });

  test('a repository without keys is not a project', async () => {
    expect(await carryOut('list acme/site')).toBe(
      'acme/site is not a project: install the App on it, or create its first API key',
    );
  });
});

describe('an error is one line', () => {
  test.each<[string, string, Record<string, string>, number, RegExp]>([
    ['a wrong command line', 'create acme --name ci', {}, 2, /OWNER\/REPO.*--help/],
    ['a wrong configuration', 'list acme/docs', { APP_ID: '', PRIVATE_KEY: '' }, 1, /APP_ID.*PRIVATE_KEY/],
    [
      'an unreachable database',
      'list acme/docs',
      { DATABASE_URL: 'postgresql://x:secret@127.0.0.1:1/x' },
      1,
      /ECONNREFUSED/,
    ],
  ])('%s', async (_name, args, more, expected, why) => {
    const { code, stdout, stderr } = await keys(args, more);
    expect([code, stdout]).toEqual([expected, '']);
    expect(stderr).toMatch(/^keys: [^\n]+\n$/);
    expect(stderr).toMatch(why);
    expect(stderr).not.toContain('secret');
  });

  test.each([
    ['an App unknown to GitHub', { APP_ID: '78' }, 78],
    ['a private key of another App', { PRIVATE_KEY: anotherPem }, 77],
  ])('of %s, too', async (_name, more, appId) => {
    expect(await carryOut('create acme/docs --name ci', more)).toBe(
      `GitHub does not know App ${appId}: check APP_ID and the private key`,
    );
  });

  test('help goes to stdout and needs no configuration', async () => {
    const { code, stdout, stderr } = await keys('--help', { APP_ID: '' });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('pagewright keys create acme/docs');
  });
});

describe('without DATABASE_URL', () => {
  const embedded = { DATABASE_URL: '' };

  test('creates a key in the embedded database, where the next command finds it', async () => {
    const { code, stderr } = await keys('create acme/docs --name alone', embedded);
    expect([code, stderr]).toEqual([0, '']);
    const { stdout } = await keys('list acme/docs', embedded);
    expect(stdout).toMatch(/ alone +pagewright_…/);
  });

  test('creates a key while the service runs, and does not disturb it', async () => {
    await using service = await startEmbeddedPostgres({ dataDir: join(directory, 'data') });
    const log = createSilentLog();
    await using database = createDatabase({ connection: service.connection, log });
    const { code, stdout } = await keys('create acme/docs --name beside --json', embedded);
    expect(code).toBe(0);
    const { key, keyId } = createdShape.parse(JSON.parse(stdout));
    expect(await verifyKey(database, key)).toMatchObject({ key_id: keyId, name: 'beside' });
  });
});

function toUrl(connection: TestDatabase['connection']): string {
  if ('connectionString' in connection) return connection.connectionString;
  const { host, port, user, database } = connection;
  return `postgresql:///${database}?${new URLSearchParams({ host, port: String(port), user })}`;
}
