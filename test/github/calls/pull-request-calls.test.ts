import nock from 'nock';
import { describe, expect, test } from 'vitest';
import { maxBodyLength } from '../../../src/github/calls/comment-calls.ts';
import { pullRequestBody } from '../bodies.ts';
import { createClient } from '../create-client.ts';

const repository = () => nock('https://api.github.com');
const docs = '/repos/acme/docs';

describe('findPullRequest', () => {
  const path = `${docs}/pulls?state=all&head=acme%3Apagewright%2Fx&sort=created&direction=desc&per_page=100`;
  const find = () => createClient().findPullRequest({ branch: 'pagewright/x' });

  test('returns the branch’s newest pull request, open or closed', async () => {
    const merged = pullRequestBody({ number: 9, state: 'closed', merged_at: '2026-11-20T13:00:00Z' });
    repository().get(path).reply(200, [merged, pullRequestBody()]);
    expect(await find()).toEqual({
      number: 9,
      nodeId: 'PR_7',
      isDraft: false,
      url: 'https://github.com/acme/docs/pull/7',
      state: 'closed',
      merged: true,
      title: 'Explain tokens',
      body: '',
      base: 'main',
      branch: 'pagewright/x',
      headSha: pullRequestBody().head.sha,
      headRepositoryId: 42,
      updatedAt: new Date('2026-11-20T12:00:00Z'),
    });
  });

  test.each([
    ['a fork with a branch of the same name', { ref: 'pagewright/x', sha: 'abc', repo: { id: 43 } }],
    ['a fork that is deleted', { ref: 'pagewright/x', sha: 'abc', repo: null }],
    ['another branch, as an unfiltered list has', { ref: 'pagewright/y', sha: 'abc', repo: { id: 42 } }],
  ])('skips %s', async (_name, head) => {
    repository()
      .get(path)
      .reply(200, [pullRequestBody({ head })]);
    expect(await find()).toBeUndefined();
  });

  test('throws for a renamed repository', async () => {
    repository().get(path).reply(301, undefined, { location: 'https://api.github.com/repositories/42/pulls' });
    repository().get('/repositories/42/pulls').reply(200, []);
    await expect(find()).rejects.toMatchObject({ cause: { message: 'acme/docs was renamed or transferred' } });
  });
});

describe('fetchPullRequest', () => {
  test('returns the pull request', async () => {
    repository()
      .get(`${docs}/pulls/7`)
      .reply(200, pullRequestBody({ body: 'text' }));
    expect(await createClient().fetchPullRequest(7)).toMatchObject({
      number: 7,
      body: 'text',
      merged: false,
    });
  });

  test('returns undefined for a missing pull request', async () => {
    repository().get(`${docs}/pulls/7`).reply(404, { message: 'Not Found' });
    expect(await createClient().fetchPullRequest(7)).toBeUndefined();
  });
});

describe('createPullRequest', () => {
  const content = { title: 't', head: 'pagewright/x', base: 'main', body: 'b', draft: true };

  test('sends the content', async () => {
    repository().post(`${docs}/pulls`, content).reply(201, pullRequestBody());
    expect(await createClient().createPullRequest(content)).toMatchObject({
      kind: 'created',
      pullRequest: { number: 7 },
    });
  });

  test('returns the reason of a refusal', async () => {
    const errors = [
      { resource: 'PullRequest', code: 'custom', message: 'A pull request already exists for acme:pagewright/x.' },
    ];
    repository().post(`${docs}/pulls`).reply(422, { message: 'Validation Failed', errors });
    expect(await createClient().createPullRequest(content)).toEqual({ kind: 'exists' });
  });

  test('throws a refusal for an unknown reason', async () => {
    const errors = [{ resource: 'PullRequest', field: 'title', code: 'too_long' }];
    repository().post(`${docs}/pulls`).reply(422, { message: 'Validation Failed', errors });
    await expect(createClient().createPullRequest(content)).rejects.toMatchObject({
      reason: 'refused',
      message:
        'GitHub refused to open a pull request from pagewright/x to main in acme/docs: Validation Failed; title too_long.',
    });
  });

  test('does not name a permission that the App has', async () => {
    const headers = { 'x-accepted-github-permissions': 'contents=write' };
    repository().post(`${docs}/pulls`).reply(403, { message: 'Repository was archived so is read-only.' }, headers);
    await expect(createClient().createPullRequest(content)).rejects.toMatchObject({ reason: 'refused' });
  });

  test('does not send a body that is too long', async () => {
    const body = 'x'.repeat(maxBodyLength + 1);
    await expect(createClient().createPullRequest({ ...content, body })).rejects.toThrow(
      'longer than GitHub’s limit of 65536',
    );
  });
});

describe('updatePullRequest', () => {
  test('changes only the given fields', async () => {
    repository()
      .patch(`${docs}/pulls/7`, { title: 'New' })
      .reply(200, pullRequestBody({ title: 'New' }));
    expect(await createClient().updatePullRequest(7, { title: 'New' })).toMatchObject({
      kind: 'updated',
      pullRequest: { title: 'New' },
    });
  });

  test('returns not_ready for a pull request that GitHub does not know yet', async () => {
    const errors = ['Could not resolve to a node with the global id of “PR_x”.'];
    repository().patch(`${docs}/pulls/7`).reply(422, { message: 'Validation Failed', errors });
    expect(await createClient().updatePullRequest(7, { title: 'New' })).toEqual({ kind: 'not_ready' });
  });

  test('throws when the branch of a closed pull request is gone', async () => {
    const errors = [
      { resource: 'PullRequest', code: 'custom', field: 'state', message: 'The x branch has been deleted.' },
    ];
    repository().patch(`${docs}/pulls/7`).reply(422, { message: 'Validation Failed', errors });
    await expect(createClient().updatePullRequest(7, { state: 'open' })).rejects.toMatchObject({
      reason: 'refused',
    });
  });
});
