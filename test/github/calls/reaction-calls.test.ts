import nock from 'nock';
import { expect, test } from 'vitest';
import { createClient } from '../create-client.ts';
import { startStandIn } from '../stand-in.ts';

const repository = () => nock('https://api.github.com');
const path = '/repos/acme/docs/issues/comments/3/reactions';
const react = (client = createClient()) => client.addReaction({ on: 'comment', commentId: 3 });

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

test('a reaction in a locked conversation is refused with a remedy', async () => {
  repository().post(path).reply(403, { message: 'Unable to create reaction because issue is locked.' });
  await expect(react()).rejects.toMatchObject({
    reason: 'refused',
    message: expect.stringMatching(/^GitHub refused to react to comment 3 of acme\/docs: .* Unlock the conversation/),
  });
});
