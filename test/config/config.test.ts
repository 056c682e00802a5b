import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { writeAppFile } from '../../src/config/app-file.ts';
import { type ConfigReader, parseConfig, parseStart, variables } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/config-error.ts';
import { listPasswordSpellings } from '../../src/config/secrets.ts';

const { privateKey } = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const pem = privateKey.trim();

const enough = {
  APP_ID: '42',
  PRIVATE_KEY: pem,
  WEBHOOK_SECRET: 'sixteen-letters!',
  OPENAI_API_KEY: 'sk-1',
  OPENAI_MODEL: 'gpt-5',
};

/** A folder without a stored App. */
const nowhere = { DATA_DIR: '/nowhere' };

/** The problems that the service or the keys command finds in an environment. */
function listProblems(overrides: Record<string, string>, reader: ConfigReader = 'service'): string[] {
  const environment = { ...nowhere, ...overrides };
  try {
    if (reader === 'service') parseStart(environment);
    else parseConfig(environment, reader);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const findProblems = (environment: Record<string, string>, reader?: ConfigReader) =>
  listProblems(environment, reader).map((problem) => problem.split(':', 1)[0] ?? '');

test('a few variables configure a service; the others have defaults', () => {
  expect(parseConfig(enough)).toEqual({
    role: 'all',
    prices: {},
    currency: 'USD',
    proxies: {},
    port: 3000,
    host: '127.0.0.1',
    publicUrl: null,
    operators: [],
    dataDir: resolve('data'),
    databaseUrl: null,
    github: {
      appId: '42',
      privateKey: pem,
      webhookSecret: 'sixteen-letters!',
      signIn: null,
      apiUrl: 'https://api.github.com',
      webUrl: 'https://github.com',
    },
    openai: {
      apiKey: 'sk-1',
      baseUrl: null,
      api: 'responses',
      models: ['gpt-5'],
      contextTokens: 200_000,
      reasoningEffort: null,
      images: false,
    },
    secretsKey: { kind: 'file', path: resolve('data/secrets.key') },
    webhookAllowedHosts: [],
    workerConcurrency: 4,
    projectConcurrency: 0,
    retention: { turnsDays: 30, deliveriesDays: 30, queueDays: 1 },
    metricsToken: null,
    projectLimits: { rateLimit: 100, tokensPerMonth: 0 },
    automationRunsPerDay: 20,
    runLimits: {
      maxTurns: 60,
      maxTokens: 2_000_000,
      maxSeconds: 1800,
      maxChangedFiles: 100,
      maxChangedBytes: 4 * 1024 * 1024,
    },
    cacheMaxBytes: null,
    logLevel: 'info',
  });
});

test('white space around a value is ignored, and a blank value counts as not set', () => {
  const padded = { HOST: ' ', PORT: ' 8080\n', OPENAI_BASE_URL: '\t', WEBHOOK_SECRET: ` ${enough.WEBHOOK_SECRET}\n` };
  expect(parseConfig({ ...enough, ...padded })).toEqual(parseConfig({ ...enough, PORT: '8080' }));
});

const database = 'postgresql://localhost/x';

test.each<[string, Record<string, string>, string[]]>([
  [
    'all',
    { WEBHOOK_SECRET: enough.WEBHOOK_SECRET },
    ['APP_ID', 'PRIVATE_KEY or PRIVATE_KEY_PATH', 'OPENAI_MODEL', 'OPENAI_API_KEY'],
  ],
  ['all', { APP_ID: '1' }, ['PRIVATE_KEY or PRIVATE_KEY_PATH', 'WEBHOOK_SECRET', 'OPENAI_MODEL', 'OPENAI_API_KEY']],
  ['all', {}, ['OPENAI_MODEL', 'OPENAI_API_KEY']],
  ['web', {}, ['APP_ID', 'PRIVATE_KEY or PRIVATE_KEY_PATH', 'WEBHOOK_SECRET', 'OPENAI_MODEL', 'DATABASE_URL']],
  ['worker', {}, ['APP_ID', 'PRIVATE_KEY or PRIVATE_KEY_PATH', 'OPENAI_MODEL', 'OPENAI_API_KEY', 'DATABASE_URL']],
  ['web', { ...enough, OPENAI_API_KEY: '', DATABASE_URL: database }, []],
  ['worker', { ...enough, WEBHOOK_SECRET: '', DATABASE_URL: database }, []],
  ['all', { ...enough, OPENAI_API_KEY: '', OPENAI_BASE_URL: 'http://localhost:8000/v1' }, []],
])('ROLE=%s with %o lacks %j', (role, environment, missing) => {
  expect(findProblems({ ...environment, ROLE: role })).toEqual(missing);
});

test('people sign in with both of the client id and its secret, as the operators say', () => {
  const both = { GITHUB_CLIENT_ID: 'Iv23', GITHUB_CLIENT_SECRET: 'hush' };
  const config = parseConfig({ ...enough, ...both, OPERATORS: 'rita, mona,' });
  expect(config.github.signIn).toEqual({ clientId: 'Iv23', clientSecret: 'hush' });
  expect(config.operators).toEqual(['rita', 'mona']);
  expect(findProblems({ ...enough, GITHUB_CLIENT_ID: 'Iv23' })).toEqual(['GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET']);
  expect(findProblems({ ...enough, OPERATORS: 'rita mona' })).toEqual(['OPERATORS']);
});

test('the keys command needs the App, but no model and no webhook secret', () => {
  expect(findProblems({ WEBHOOK_SECRET: enough.WEBHOOK_SECRET }, 'keys')).toEqual([
    'APP_ID',
    'PRIVATE_KEY or PRIVATE_KEY_PATH',
  ]);
  const { APP_ID, PRIVATE_KEY } = enough;
  expect(findProblems({ APP_ID, PRIVATE_KEY }, 'keys')).toEqual([]);
});

const model = { OPENAI_API_KEY: 'sk-1', OPENAI_MODEL: 'gpt-5' };
const storedApp = {
  appId: 4711,
  slug: 'acme-docs',
  name: 'Acme Docs',
  owner: 'acme',
  url: 'https://github.com/apps/acme-docs',
  privateKey: `${pem}\n`,
  webhookSecret: 'stored-webhook-secret',
  clientId: 'Iv1.1',
  clientSecret: 'stored',
  githubUrl: 'https://github.com',
};

/** A DATA_DIR with an App that was registered at /setup. */
async function storeApp() {
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-config-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  await writeAppFile(directory, storedApp);
  return { directory, path: join(directory, 'app.json') };
}

test('a service whose configuration lacks only the App starts with /setup', () => {
  const { settings, ...start } = parseSetup({ ...model, ...nowhere, PUBLIC_URL: 'https://docs.acme.test/' });
  expect(start).toEqual({ kind: 'setup', publicUrl: 'https://docs.acme.test' });
  expect(settings.github).toEqual({ apiUrl: 'https://api.github.com', webUrl: 'https://github.com' });
  expect(parseSetup({ ...model, ...nowhere }).publicUrl).toBeNull();
  expect(() => parseStart({ ...nowhere, PORT: 'x' })).toThrow(/PORT: .*\n.*OPENAI_MODEL: /);
});

function parseSetup(environment: Record<string, string>) {
  const start = parseStart(environment);
  if (start.kind !== 'setup') throw new Error('the environment has an App');
  return start;
}

test('the service and the keys command use the App that was registered at /setup', async () => {
  const { directory } = await storeApp();
  const expected = {
    appId: '4711',
    privateKey: pem,
    webhookSecret: 'stored-webhook-secret',
    signIn: { clientId: 'Iv1.1', clientSecret: 'stored' },
  };
  const start = parseStart({ ...model, DATA_DIR: directory });
  expect(start).toMatchObject({ kind: 'ready', config: { dataDir: directory, github: expected } });
  expect(parseConfig({ DATA_DIR: directory }, 'keys').github).toMatchObject(expected);
});

test.each([
  ['APP_ID', '42'],
  ['PRIVATE_KEY', pem],
  ['PRIVATE_KEY_PATH', '/nowhere/key.pem'],
  ['WEBHOOK_SECRET', 'sixteen-letters!'],
  ['WEBHOOK_SECRET', 'short'],
])('%s=%s in the environment overrides a stored App', async (name, value) => {
  const { directory } = await storeApp();
  expect(findProblems({ ...model, DATA_DIR: directory, [name]: value })).not.toEqual([]);
  expect(parseConfig({ ...enough, DATA_DIR: directory }).github.appId).toBe('42');
});

test.each(['web', 'worker'])('ROLE=%s requires the App in the environment, and the error says so', async (role) => {
  const { directory } = await storeApp();
  const environment = { ...model, DATA_DIR: directory, DATABASE_URL: database, ROLE: role };
  expect(() => parseStart(environment)).toThrow(
    `APP_ID: set it to the App ID on the App’s settings page; /setup works with ROLE=all only`,
  );
  expect(() => parseStart(environment)).toThrow(`this is ROLE=${role}`);
});

test('the keys command without an App says how to register one', () => {
  expect(() => parseConfig(nowhere, 'keys')).toThrow(
    'start the service and open /setup, or set APP_ID, PRIVATE_KEY and WEBHOOK_SECRET',
  );
});

test('reports a stored App that is damaged, readable by others or of another GitHub, without its content', async () => {
  const { directory, path } = await storeApp();
  const environment = { ...model, DATA_DIR: directory };
  const elsewhere = { GITHUB_URL: 'https://git.acme.test', GITHUB_API_URL: 'https://git.acme.test/api/v3' };
  expect(listProblems({ ...environment, ...elsewhere })).toEqual([
    `${path}: contains an App of https://github.com, but GITHUB_URL is https://git.acme.test; set GITHUB_URL to https://github.com, or move the file away`,
  ]);
  await chmod(path, 0o644);
  const isReadable = `${path}: contains secrets that other users can read; run: chmod 600 ${path}`;
  expect(listProblems(environment)).toEqual([isReadable]);
  await chmod(path, 0o600);
  expect(listProblems(environment)).toEqual([]);
  const broken = [`${path}: is damaged; move it away and register the App again`];
  for (const text of ['', '{"appId":1', JSON.stringify({ ...storedApp, webhookSecret: 'short' })]) {
    await writeFile(path, text);
    expect(listProblems(environment)).toEqual(broken);
    expect(findProblems(environment, 'keys')).toHaveLength(1);
  }
  await rm(path);
  await mkdir(path, { mode: 0o700 });
  expect(listProblems(environment)).toEqual(broken);
});

test('all invalid values are reported at once', () => {
  const wrong = {
    ...enough,
    ROLE: 'both',
    PORT: '70000',
    APP_ID: 'mine',
    DATABASE_URL: 'mysql://localhost/x',
    GITHUB_API_URL: 'ftp://github.com',
    WEBHOOK_SECRET: 'short',
    RUN_MAX_TURNS: '0',
    JOB_RATE_LIMIT_PER_HOUR: '-1',
    OPENAI_API: 'completions',
    LOG_LEVEL: 'loud',
  };
  const problems = findProblems(wrong);
  expect(problems.toSorted()).toEqual(
    Object.keys(wrong)
      .filter((name) => !(name in enough) || ['APP_ID', 'WEBHOOK_SECRET'].includes(name))
      .toSorted(),
  );
});

test('missing and invalid variables are reported together, and an invalid variable does not count as missing', () => {
  expect(findProblems({ ...enough, OPENAI_API_KEY: '', OPENAI_BASE_URL: 'localhost:8000' })).toEqual([
    'OPENAI_BASE_URL',
  ]);
  expect(findProblems({ PORT: 'x', WEBHOOK_SECRET: 'short' })).toEqual([
    'PORT',
    'WEBHOOK_SECRET',
    'APP_ID',
    'PRIVATE_KEY or PRIVATE_KEY_PATH',
    'OPENAI_MODEL',
    'OPENAI_API_KEY',
  ]);
});

const notBare = 'must contain only scheme and host, such as https://pagewright.example.com';
const notPrivate = 'must begin with https://; http:// is for this machine only, such as http://localhost:3000';
const noPassword = 'must not contain a user or password; Pagewright authenticates with';
const price = '"gpt-5": {"in": 1.25, "cachedIn": 0.125, "out": 10}';
const prices = `write JSON such as {${price}}, per million tokens`;
const notPercentEncoded = 'contains a % that encodes nothing: write a percent sign, for example in a password, as %25';

/** Each of the values is told so; an empty problem is none. Most problems begin with the name. */
test.each<[name: string, problem: string, ...values: string[]]>([
  ['PORT', 'must be a whole number from 0 to 65,535', '70000', '-1', '1e3'],
  ['RUN_MAX_TOKENS', 'must be a whole number, 1 or more', '0', '2.5', '9'.repeat(20)],
  ['RUN_MAX_TURNS', 'must be a whole number from 1 to 1,000,000', '1000001'],
  ['WORKER_CONCURRENCY', 'must be a whole number from 1 to 1,000,000', '1000001'],
  ['PROJECT_CONCURRENCY', 'must be a whole number from 0 to 1,000,000', '1000001'],
  ['JOB_RATE_LIMIT_PER_HOUR', 'must be a whole number from 0 to 1,000,000', '1000001'],
  ['JOB_RATE_LIMIT_PER_HOUR', '', '1000000'],
  ['TURNS_RETENTION_DAYS', 'must be a whole number from 0 to 36,500', '36501'],
  ['DELIVERIES_RETENTION_DAYS', 'must be a whole number from 4 to 36,500', '36501'],
  ['DELIVERIES_RETENTION_DAYS', '', '36500'],
  ['QUEUE_RETENTION_DAYS', 'must be a whole number from 1 to 36,500', '0'],
  ['OPENAI_MODEL', 'set it to the model that edits, for example gpt-5', ' '],
  ['ROLE', 'must be one of: all, web, worker', 'both'],
  ['OPENAI_API', 'must be one of: responses, chat', 'completions'],
  ['OPENAI_PRICES', `is not valid JSON: ${prices}`, '{gpt-5: 1}'],
  [
    'OPENAI_PRICES',
    `does not hold prices (gpt-5.cachedIn must be a number, 0 or more; gpt-5.out must be a number, 0 or more): ${prices}`,
    '{"gpt-5": {"in": 1.25, "out": -10}}',
  ],
  ['OPENAI_PRICES', `does not hold prices (it must be an object): ${prices}`, '[]'],
  ['OPENAI_PRICES', 'must have a currency of three letters, such as EUR', '{"currency": "euro"}'],
  ['OPENAI_PRICES', '', `{"currency": "EUR", ${price}}`, `{${price}}`],
  ['BUDGET_TOKENS_PER_MONTH', 'must be a whole number, 0 or more', '1e6'],
  ['OPENAI_CONTEXT_TOKENS', 'must be a whole number, 16,000 or more', '8000'],
  ['OPENAI_REASONING_EFFORT', 'must be one of: none, minimal, low, medium, high, xhigh, max', 'hard'],
  ['OPENAI_BASE_URL', 'must be an http(s) URL', 'localhost:1234/v1'],
  ['OPENAI_BASE_URL', `${noPassword} OPENAI_API_KEY`, 'http://u:pass@localhost/v1', 'http://pass@localhost/v1'],
  ['GITHUB_URL', `${noPassword} APP_ID and PRIVATE_KEY`, 'https://u:pass@github.com'],
  ['GITHUB_API_URL', `${noPassword} APP_ID and PRIVATE_KEY`, 'https://u:pass@git.acme.test'],
  ['PUBLIC_URL', 'must be an http(s) URL', 'docs.acme.test', 'ftp://docs.acme.test'],
  [
    'PUBLIC_URL',
    notBare,
    'https://docs.acme.test/pagewright',
    'https://docs.acme.test//',
    'https://docs.acme.test/?a=b',
  ],
  ['PUBLIC_URL', notBare, 'https://docs.acme.test/#a', 'https://me@docs.acme.test', 'https://:secret@docs.acme.test'],
  ['PUBLIC_URL', notPrivate, 'http://docs.acme.test', 'http://192.168.1.7:3000'],
  ['PUBLIC_URL', '', 'https://docs.acme.test/', 'https://docs.acme.test:8443', 'http://localhost:3000'],
  ['PUBLIC_URL', '', 'http://127.0.0.1:3000/', 'http://[::1]:3000'],
  ['DATABASE_URL', notPercentEncoded, 'postgresql://u:50%@h/d', 'postgresql://u:%zz@h/d'],
  ['DATABASE_URL', '', 'postgresql://u:%25@h/d'],
])('%s: %s: %s', (name, problem, ...values) => {
  for (const value of values) expectProblem(name, value, problem);
});

test('without a private key, both of its variables are named', () => {
  expect(listProblems({ ...enough, PRIVATE_KEY: ' ' })).toEqual([
    'PRIVATE_KEY or PRIVATE_KEY_PATH: set one of them to the private key from the App’s settings page',
  ]);
});

function expectProblem(name: string, value: string, problem: string): void {
  const problems = problem === '' ? [] : [`${name}: ${problem}`];
  expect({ value, problems: listProblems({ ...enough, [name]: value }) }).toEqual({ value, problems });
}

test.each<[name: string, problem: string, ...values: string[]]>([
  ['OPENAI_BASE_URL', notPrivate, 'http://models.acme.test/v1', 'http://192.168.1.7:8000/v1'],
  ['OPENAI_BASE_URL', notPrivate, 'http://127.0.0.1.acme.test/v1', 'http://[::ffff:7f00:1]/v1'],
  ['OPENAI_BASE_URL', '', 'http://localhost:8000/v1', 'http://127.0.0.1:11434/v1', 'http://[::1]:11434/v1'],
  ['GITHUB_URL', notPrivate, 'http://git.acme.test'],
  ['GITHUB_API_URL', notPrivate, 'http://git.acme.test/api/v3'],
])('promise 4: no key leaves the machine in the clear: %s: %s: %s', (name, problem, ...values) => {
  for (const value of values) expectProblem(name, value, problem);
});

const [cloud, cloudApi] = ['https://github.com', 'https://api.github.com'];
const [server, serverApi] = ['https://git.acme.test', 'https://git.acme.test/api/v3'];
const [tenant, tenantApi] = ['https://acme.ghe.com', 'https://api.acme.ghe.com'];
const mismatch = (api: string, web: string) => [
  `GITHUB_API_URL: ${api} is not the API of GITHUB_URL, ${web}, so tokens would reach the wrong server; set both: https://HOST/api/v3 with https://HOST, or https://api.SUBDOMAIN.ghe.com with https://SUBDOMAIN.ghe.com; or neither, for github.com`,
];

test.each<[string, string, string, string[]]>([
  ['Enterprise Server alone', '', server, mismatch(cloudApi, server)],
  ['the API of Enterprise Server alone', serverApi, '', mismatch(serverApi, cloud)],
  ['GHE.com alone', '', tenant, mismatch(cloudApi, tenant)],
  ['the API of GHE.com alone', tenantApi, '', mismatch(tenantApi, cloud)],
  ['one of them malformed', 'nonsense', server, ['GITHUB_API_URL: must be an http(s) URL']],
  ['the other malformed', serverApi, 'nonsense', ['GITHUB_URL: must be an http(s) URL']],
  ['github.com written out', `${cloudApi}/`, `${cloud}/`, []],
  ['an Enterprise Server', serverApi, server, []],
  ['one behind a gateway', 'https://api.acme.test/github', server, []],
  ['a GHE.com', tenantApi, tenant, []],
  ['a stand-in on this machine', 'http://127.0.0.1:4001/api/v3', 'http://localhost:4002', []],
  ['a tunnel on this machine', 'http://localhost:4001', server, []],
])('GITHUB_API_URL and GITHUB_URL must belong together: %s', (_name, api, web, problems) => {
  const environment = { ...enough, GITHUB_API_URL: api, GITHUB_URL: web };
  expect(listProblems(environment)).toEqual(problems);
  expect(listProblems(environment, 'keys')).toEqual(problems);
});

test.each(['', 'short', 'development', 'fifteen-letters'])(
  'promise 7: %j is not accepted as a webhook secret',
  (secret) => {
    expect(findProblems({ ...enough, WEBHOOK_SECRET: secret })).toEqual(['WEBHOOK_SECRET']);
  },
);

test.each<[string, string]>([
  ['as it is', `\n${pem}\n`],
  ['with its line breaks written out', pem.replaceAll('\n', '\\n')],
  ['in base64', Buffer.from(pem).toString('base64')],
])('accepts a private key %s', (_name, environment) => {
  expect(parseConfig({ ...enough, PRIVATE_KEY: environment }).github.privateKey).toBe(pem);
});

test('reads a private key from a file, and shows no invalid key in its error', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-config-'));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(directory, { recursive: true }));
  const path = join(directory, 'key.pem');
  await writeFile(path, `${pem}\n`);
  const fromFile = { ...enough, PRIVATE_KEY: '', PRIVATE_KEY_PATH: path };
  expect(parseConfig(fromFile).github.privateKey).toBe(pem);
  expect(findProblems({ ...fromFile, PRIVATE_KEY_PATH: `${path}.missing` })).toEqual(['PRIVATE_KEY_PATH']);
  const folder = { ...fromFile, PRIVATE_KEY_PATH: directory };
  expect(listProblems(folder)).toEqual([`PRIVATE_KEY_PATH: cannot read the file ${directory}`]);
  await writeFile(path, pem.replace(/\n.*\n/, '\nAAAA\n'));
  expect(listProblems(fromFile)).toEqual([expect.stringMatching(/^PRIVATE_KEY_PATH: must be a complete private key/)]);
  const wrong = () => parseConfig({ ...enough, PRIVATE_KEY: 'something-secret-that-is-no-key' });
  expect(wrong).toThrow('PRIVATE_KEY: must be a complete private key');
  expect(wrong).not.toThrow('something-secret');
});

test('the default model is listed first, each model once, and URLs lose a trailing slash', () => {
  const config = parseConfig({
    ...enough,
    OPENAI_MODELS: 'small, gpt-5,, large',
    GITHUB_URL: 'https://git.acme.test/',
    GITHUB_API_URL: 'https://git.acme.test/api/v3/',
  });
  expect(config.openai.models).toEqual(['gpt-5', 'small', 'large']);
  expect(config.github).toMatchObject({ webUrl: 'https://git.acme.test', apiUrl: 'https://git.acme.test/api/v3' });
});

test.each<[string, string | null, string[]]>([
  ['no value', null, []],
  ['no password', 'postgresql://u@h/d', []],
  ['a plain one', 'postgresql://u:plain-password@h/d', ['plain-password']],
  ['an encoded one', 'postgresql://u:p%40ss%77ord@h/d', ['p%40ss%77ord', 'p@ssword']],
  ['one half encoded', 'postgresql://u:p|a%7Cb"c@h/d', ['p|a%7Cb"c', 'p|a|b"c']],
  ['one with @ and :', 'postgresql://u:a@b:c@h/d', ['a@b:c']],
  ['one as a parameter', 'postgresql:///d?host=/run&password=p%40ssword', ['p%40ssword', 'p@ssword']],
  ['an @ behind the host', 'postgresql://h:1/d?application_name=a@b', []],
])('lists the spellings of the password in a DATABASE_URL with %s', (_name, url, spellings) => {
  expect(listPasswordSpellings(url)).toEqual(spellings);
});

test('the service lists every problem of its configuration and exits with status 1', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-config-'));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(directory, { recursive: true }));
  const { promise: ended, resolve: end } = Promise.withResolvers<{ code: unknown; output: string }>();
  execFile(
    process.execPath,
    [resolve('src/main.ts')],
    { cwd: directory, env: { WEBHOOK_SECRET: 'development' } },
    (error, stdout, stderr) => end({ code: error?.code, output: stdout + stderr }),
  );
  const { code, output } = await ended;
  expect(code).toBe(1);
  expect(output).toMatch(
    /^invalid configuration:\n {2}WEBHOOK_SECRET: must have at least 16 characters.*\n {2}APP_ID: /,
  );
  expect(output).toMatch(
    /\nThere is no \/.*\.env: run pagewright init, .*, or run this in the folder that has it\.\n$/,
  );
});

test('.env.example lists exactly the variables, with their defaults', async () => {
  const text = await readFile('.env.example', 'utf8');
  const example = parseEnv(text);
  const defaults = Object.entries(variables.parse({})).map(([name, value]) => [name, String(value ?? '')]);
  expect(example).toEqual(Object.fromEntries(defaults));
  for (const name of Object.keys(example)) expect(text).toMatch(new RegExp(`^# .+\\n${name}=`, 'm'));
});
