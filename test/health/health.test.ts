import { once } from 'node:events';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { AppKeyRefused, GitHubUnavailable } from '../../src/github/refusals/errors.ts';
import { createChecks } from '../../src/health/create-checks.ts';
import { broken, ok } from '../../src/health/finding.ts';
import { degradedParts, startHealth } from '../../src/health/health.ts';
import { createLog } from '../../src/log.ts';

async function serveModels(status: number): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/v1/models' ? status : 500).end('{"error":"sk-quoted"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
}

type ReadApp = Parameters<typeof createChecks>[0]['github']['readApp'];
const fine: ReadApp = async () => ({ missing: [] });
const refused: ReadApp = () => Promise.reject(new AppKeyRefused('could not read the App: GitHub answered 401 no'));
const down: ReadApp = () => Promise.reject(new GitHubUnavailable('GitHub is down'));

async function check({
  readApp = fine,
  status = 200,
  dataDir = tmpdir(),
  role = 'all',
  hasDatabaseRoom = async () => true,
}: {
  readApp?: ReadApp;
  status?: number;
  dataDir?: string;
  role?: 'all' | 'web';
  hasDatabaseRoom?: () => Promise<boolean>;
}) {
  const baseUrl = await serveModels(status);
  const openai = {
    apiKey: 'sk-secret',
    baseUrl,
    api: 'responses' as const,
    models: ['gpt'] as [string],
    contextTokens: 1,
    reasoningEffort: null,
    images: false,
  };
  const checks = createChecks({ config: { role, dataDir, openai }, github: { readApp }, hasDatabaseRoom });
  const { signal } = new AbortController();
  const found = await Promise.allSettled(checks.map(({ find }) => find(signal)));
  return Object.fromEntries(
    checks.map(({ part }, index) => {
      const result = found[index];
      if (result?.status !== 'fulfilled') return [part, 'unknown'];
      const { value } = result;
      return [part, value.state === 'broken' ? `${value.detail}. ${value.todo}` : 'works'];
    }),
  );
}

const works = Object.fromEntries(degradedParts.map((part) => [part, 'works']));

test.each<[string, Parameters<typeof check>[0], object]>([
  ['all works', {}, works],
  ['a key that GitHub refuses', { readApp: refused }, { github_app: expect.stringMatching(/401 no\. Check APP_ID/) }],
  ['GitHub is down', { readApp: down }, { github_app: 'unknown', github_permissions: 'unknown' }],
  [
    'a permission that the App lacks',
    { readApp: async () => ({ missing: ['contents=write'] }) },
    { github_app: 'works', github_permissions: expect.stringContaining('lacks contents=write') },
  ],
  ['a key that the model server refuses', { status: 401 }, { model: expect.stringContaining('status 401') }],
  ['a model server that lists no models', { status: 404 }, { model: 'works' }],
  [
    'a full disk of the database',
    { hasDatabaseRoom: async () => false },
    { database_disk: expect.stringContaining('full. Free some') },
  ],
  ['a folder that cannot be made', { dataDir: '/dev/null/data' }, { data_dir: expect.stringContaining('(ENOTDIR)') }],
])('the checks with %s', async (_name, given, expected) => {
  const found = await check(given);
  expect(found).toMatchObject(expected);
  expect(JSON.stringify(found)).not.toMatch(/sk-/);
});

test('a web process checks neither the model nor the folder', async () => {
  expect(Object.keys(await check({ role: 'web' }))).toEqual(['github_app', 'github_permissions', 'database_disk']);
});

test('only changes are logged, and a check without an answer keeps the last result', async () => {
  const answers: (string | undefined | Error)[] = ['broken', 'broken', new Error('unknown'), undefined];
  let asked = 0;
  const lines: string[] = [];
  const log = createLog({
    level: 'info',
    redact: (line) => line,
    destination: { write: (line) => void lines.push(line) },
  });
  const find = async () => {
    const answer = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    if (answer instanceof Error) throw answer;
    return answer === undefined ? ok('fine') : broken(answer, 'fix it');
  };
  using health = startHealth({ checks: [{ part: 'model', find }], log, everyMs: 20, checkWithinMs: 1_000 });
  await eventually(() => health.degraded().includes('model') || undefined);
  await eventually(() => asked > 4 || undefined);
  expect(health.degraded()).toEqual([]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', part: 'model', problem: 'broken. fix it' },
    { level: 'info', part: 'model' },
  ]);
});
