import { expect, test } from 'vitest';
import { createFixture, docs, type Fixture } from './github-fixture.ts';

const at = { ...docs, issue_number: 1 };
const comments = /\/issues\/1\/comments$/;

async function openPullRequest(fixture: Fixture) {
  await fixture.github.asPerson('mona').pushCommit('acme/docs', 'work', { 'work.md': 'one\n' }, 'Write');
  await fixture.asInstallation.rest.pulls.create({ ...docs, title: 'Work', head: 'work', base: 'main' });
}

const countComments = async (fixture: Fixture) =>
  (await fixture.asInstallation.rest.issues.listComments(at)).data.length;

test.each([
  ['before', { status: 502 }, 0],
  ['after', { status: 502 }, 1],
  ['reset-before', { status: 500 }, 0],
  ['reset-after', { status: 500 }, 1],
] as const)('the fault %s hits one request and says nothing of what was done', async (kind, error, done) => {
  await using fixture = await createFixture();
  const { github, asInstallation } = fixture;
  await openPullRequest(fixture);
  const fault = github.inject({ method: 'POST', path: comments, kind });
  const post = () => asInstallation.rest.issues.createComment({ ...at, body: 'Hi' });
  await expect(post()).rejects.toMatchObject(error);
  expect(await countComments(fixture)).toBe(done);
  expect(github.requests.filter(({ method, path }) => method === 'POST' && comments.test(path))).toMatchObject([
    { done: done === 1 },
  ]);
  await post();
  expect(fault.hits()).toBe(1);
  expect(await countComments(fixture)).toBe(done + 1);
});

test.each([
  [{ kind: 'secondary-limit', retryAfter: 7 }, 403, { 'retry-after': '7' }],
  [{ kind: 'secondary-limit', status: 429 }, 429, {}],
  [
    { kind: 'primary-limit', reset: new Date(2_000_000_000_000) },
    403,
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2000000000' },
  ],
  [{ kind: 'answer', status: 418, body: { message: 'tea' } }, 418, {}],
] as const)('a limit has the answer of GitHub: %o', async (rule, status, headers) => {
  await using fixture = await createFixture();
  fixture.github.inject({ path: /^\/repos\/acme\/docs$/, ...rule });
  await expect(fixture.asInstallation.rest.repos.get(docs)).rejects.toMatchObject({ status, response: { headers } });
  await fixture.asInstallation.rest.repos.get(docs);
});

test('a held request continues when it is released', async () => {
  await using fixture = await createFixture();
  await openPullRequest(fixture);
  const fault = fixture.github.inject({ method: 'POST', path: comments, kind: 'hold-after' });
  const posted = fixture.asInstallation.rest.issues.createComment({ ...at, body: 'Hi' });
  await expect.poll(() => countComments(fixture)).toBe(1);
  fault.release();
  expect((await posted).status).toBe(201);
});

test('a stale list misses its newest item', async () => {
  await using fixture = await createFixture();
  await openPullRequest(fixture);
  fixture.github.inject({ path: /\/pulls$/, kind: 'stale', times: 2 });
  const list = async () => (await fixture.asInstallation.rest.pulls.list({ ...docs, head: 'acme:work' })).data.length;
  expect([await list(), await list(), await list()]).toEqual([0, 0, 1]);
});

test('a push is lost before or after it is stored', async () => {
  await using fixture = await createFixture();
  const { github } = fixture;
  const { git, commit } = await fixture.clone();
  await git('switch', '--quiet', '--create', 'work');
  const sha = await commit({ a: 'a' });
  const tip = async () => (await git('ls-remote', 'origin', 'refs/heads/work')).split('\t')[0];
  github.inject({ path: /git-receive-pack$/, kind: 'reset-before' });
  await expect(git('push', 'origin', 'work')).rejects.toThrow();
  expect(await tip()).toBe('');
  github.inject({ path: /git-receive-pack$/, kind: 'after' });
  await expect(git('push', 'origin', 'work')).rejects.toThrow();
  expect(await tip()).toBe(sha);
});

test('a conditional read of unchanged data does not count against the limit', async () => {
  await using fixture = await createFixture();
  const first = await fixture.asInstallation.rest.repos.get(docs);
  const remaining = Number(first.headers['x-ratelimit-remaining']);
  const again = fixture.asInstallation.request('GET /repos/{owner}/{repo}', {
    ...docs,
    headers: { 'if-none-match': first.headers.etag ?? '' },
  });
  await expect(again).rejects.toMatchObject({
    status: 304,
    response: { headers: { 'x-ratelimit-remaining': String(remaining) } },
  });
});

test('the request log names the sender and the route', async () => {
  await using fixture = await createFixture();
  await openPullRequest(fixture);
  const { token } = await fixture.mint({ repository_ids: [fixture.repository.id], permissions: { issues: 'write' } });
  await fixture.withToken(token).rest.issues.createComment({ ...at, body: 'Hi' });
  expect(fixture.github.requests.at(-1)).toMatchObject({
    method: 'POST',
    path: '/repos/acme/docs/issues/1/comments',
    body: { body: 'Hi' },
    status: 201,
    done: true,
    tokenInfo: {
      kind: 'installation',
      installationId: fixture.installationId,
      repositoryIds: [fixture.repository.id],
      permissions: { issues: 'write' },
    },
  });
  expect(JSON.stringify(fixture.github.requests)).not.toContain(token);
});

test.each([
  ['a missing path', '/nowhere', {}, 404],
  ['invalid JSON', '/repos/acme/docs/pulls', { method: 'POST', body: '{' }, 400],
  ['an unknown API version', '/repos/acme/docs', { headers: { 'x-github-api-version': '2020-01-01' } }, 400],
])('%s is answered with its status', async (_name, path, options, status) => {
  await using fixture = await createFixture();
  const { token } = await fixture.mint();
  const headers = { authorization: `Bearer ${token}`, ...('headers' in options ? options.headers : {}) };
  expect((await fetch(`${fixture.github.apiUrl}${path}`, { ...options, headers })).status).toBe(status);
});
