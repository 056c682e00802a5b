import nock from 'nock';
import { expect, test } from 'vitest';
import { Parked } from '../../../src/errors.ts';
import { GitHubUnavailable } from '../../../src/github/refusals/errors.ts';
import { createClient } from '../create-client.ts';
import { startStandIn } from '../stand-in.ts';

const repository = () => nock('https://api.github.com');
const path = '/repos/acme/docs/issues/comments/3/reactions';
const react = (client = createClient()) => client.addReaction({ on: 'comment', commentId: 3 });

test.each([
  ['comment', 'issues', 201],
  ['comment', 'issues', 200],
  ['review_comment', 'pulls', 201],
  ['review_comment', 'pulls', 200],
] as const)('a reaction to a %s is added at %s when GitHub answers %i', async (on, folder, status) => {
  repository().post(`/repos/acme/docs/${folder}/comments/3/reactions`, { content: 'eyes' }).reply(status, { id: 9 });
  expect(await createClient().addReaction({ on, commentId: 3 })).toEqual({ reactionId: 9 });
});

test('a reaction to a deleted comment is undefined', async () => {
  repository().post(path).reply(404, { message: 'Not Found' });
  expect(await react()).toBeUndefined();
});

test.each(['comment', 'review_comment', 'issue'] as const)(
  'a reaction to a %s, which is idempotent, is retried when GitHub fails',
  async (on) => {
    await using server = await startStandIn((_request, response) => {
      const isFirst = server.requests.length === 1;
      response.writeHead(isFirst ? 502 : 200, { 'content-type': 'application/json' }).end('{"id":9}');
    });
    const client = createClient({ apiUrl: server.url });
    expect(await client.addReaction({ on, commentId: 3 })).toEqual({ reactionId: 9 });
    expect(server.requests).toHaveLength(2);
  },
);

test('a reaction fails after three tries', async () => {
  repository().post(path).times(3).reply(503);
  await expect(react()).rejects.toBeInstanceOf(GitHubUnavailable);
});

test('a reaction is parked during a rate limit', async () => {
  repository().post(path).reply(403, { message: 'You have exceeded a secondary rate limit.' });
  await expect(react()).rejects.toBeInstanceOf(Parked);
});

test('a reaction without the permission is refused with its name', async () => {
  const headers = { 'x-accepted-github-permissions': 'issues=write' };
  repository().post(path).reply(403, { message: 'Resource not accessible by integration' }, headers);
  await expect(react()).rejects.toMatchObject({
    reason: 'permission_missing',
    message: expect.stringContaining('lacks issues=write'),
  });
});

test('a reaction in a locked conversation is refused with a remedy', async () => {
  repository().post(path).reply(403, { message: 'Unable to create reaction because issue is locked.' });
  await expect(react()).rejects.toMatchObject({
    reason: 'refused',
    message: expect.stringMatching(/^GitHub refused to react to comment 3 of acme\/docs: .* Unlock the conversation/),
  });
});
