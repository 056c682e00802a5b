import nock from 'nock';
import { describe, expect, test } from 'vitest';
import { Parked } from '../../../src/errors.ts';
import { GitHubUnavailable } from '../../../src/github/refusals/errors.ts';
import { pullRequestBody, repositoryBody } from '../bodies.ts';
import { createClient } from '../create-client.ts';

const repository = () => nock('https://api.github.com');
const docs = '/repos/acme/docs';

describe('promises 6 and 36: a role', () => {
  const path = `${docs}/collaborators/ada/permission`;
  const ada = { login: 'ada', userId: 8 };
  const ask = () => createClient().fetchRole(ada);
  const all = { admin: true, maintain: true, push: true };
  test.each([
    ['maintain', 'an admin', { permission: 'admin', user: { id: 8 } }],
    ['maintain', 'a maintainer', { permission: 'write', role_name: 'maintain', user: { id: 8 } }],
    ['maintain', 'a role of its own', { permission: 'write', role_name: 'x', user: { id: 8, permissions: all } }],
    [
      'write',
      'a writer',
      { permission: 'write', role_name: 'write', user: { id: 8, permissions: { maintain: false } } },
    ],
    ['none', 'a reader', { permission: 'read', role_name: 'maintain', user: { id: 8, permissions: all } }],
    ['write', 'a writer of an old server', { permission: 'write', role_name: 'admin', user: { id: 8 } }],
    ['none', 'nobody', { permission: 'none', user: { id: 8 } }],
    ['none', 'another account with the login', { permission: 'admin', user: { id: 9 } }],
    ['none', 'no account', { permission: 'admin', user: null }],
  ])('is %s for %s', async (role, _who, answer) => {
    repository().get(path).reply(200, answer);
    expect(await ask()).toBe(role);
  });

  test('is none for an account that is not a user', async () => {
    repository().get(`${docs}/collaborators/copilot%5Bbot%5D/permission`).reply(404, { message: 'is not a user' });
    expect(await createClient().fetchRole({ login: 'copilot[bot]', userId: 9 })).toBe('none');
  });

  test.each([
    ['is still reachable', { status: 200, body: repositoryBody() }, 'none'],
    ['is unreachable', { status: 404, body: { message: 'Not Found' } }, undefined],
    ['belongs to another account', { status: 200, body: repositoryBody({ owner: { login: 'globex' } }) }, undefined],
  ])(
    'is none for a kept token only if the token still reaches the repository, which %s',
    async (_name, { status, body }, permission) => {
      repository().get(path).reply(404, { message: 'Not Found' });
      repository().get(docs).reply(status, body);
      const fetching = createClient({ isKept: true }).fetchRole(ada);
      if (permission) expect(await fetching).toBe(permission);
      else
        await expect(fetching).rejects.toMatchObject({
          name: 'TokenLost',
          message: expect.stringContaining('no longer reaches'),
        });
    },
  );

  test.each([
    ['an unknown permission', { permission: 'maintain', user: { id: 8 } }],
    ['no account', { permission: 'admin' }],
    ['no data', {}],
  ])('is refused for an answer with %s', async (_name, body) => {
    repository().get(path).reply(200, body);
    await expect(ask()).rejects.toBeInstanceOf(GitHubUnavailable);
  });

  test('is refused while GitHub is down', async () => {
    repository().get(path).times(3).reply(500);
    await expect(ask()).rejects.toBeInstanceOf(GitHubUnavailable);
  });

  test('is refused during a rate limit', async () => {
    repository().get(path).reply(429, {});
    await expect(ask()).rejects.toBeInstanceOf(Parked);
  });

  test.each([403, 410, 422])('is refused when GitHub answers %i', async (status) => {
    repository().get(path).reply(status, { message: 'no' });
    await expect(ask()).rejects.toMatchObject({ name: 'GitHubRefusal' });
  });
});

describe('fetchCloser', () => {
  const fetchCloser = () => createClient().fetchCloser(7);

  test.each([
    ['other', 'a person closed it', { state: 'closed', closed_by: { login: 'ada' } }],
    ['other', 'GitHub does not say', { state: 'closed', closed_by: null }],
    ['us', 'the App closed it', { state: 'closed', closed_by: { login: 'pagewright[bot]' } }],
    ['nobody', 'it is open', { state: 'open', closed_by: null }],
  ])('is %s when %s', async (closer, _when, issue) => {
    repository()
      .get(`${docs}/issues/7`)
      .reply(200, { number: 7, ...issue });
    expect(await fetchCloser()).toBe(closer);
  });

  test('is other when the pull request is gone', async () => {
    repository().get(`${docs}/issues/7`).reply(404, { message: 'Not Found' });
    expect(await fetchCloser()).toBe('other');
  });

  test('throws for a refusal', async () => {
    repository().get(`${docs}/issues/7`).reply(403, { message: 'no' });
    await expect(fetchCloser()).rejects.toMatchObject({ reason: 'refused' });
  });
});

describe('requestReviewers', () => {
  const path = `${docs}/pulls/7/requested_reviewers`;

  test('requests people and teams', async () => {
    repository()
      .post(path, { reviewers: ['ada'], team_reviewers: ['writers'] })
      .reply(201, pullRequestBody());
    await createClient().requestReviewers(7, { users: ['ada'], teams: ['writers'] });
  });

  test('throws GitHub’s message for someone who is not a collaborator', async () => {
    const message = 'Reviews may only be requested from collaborators.';
    repository().post(path).reply(422, { message });
    await expect(createClient().requestReviewers(7, { users: ['bob'], teams: [] })).rejects.toMatchObject({
      reason: 'refused',
      message: `GitHub refused to request reviews of pull request 7 of acme/docs: ${message}`,
    });
  });
});
