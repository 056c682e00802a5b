import { expect, test } from 'vitest';
import { createFixture, docs, type Fixture } from './github-fixture.ts';

const at = { ...docs, issue_number: 1 };
const comments = /\/issues\/1\/comments$/;

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
  await fixture.openPullRequest();
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
