import nock from 'nock';
import { describe, expect, test } from 'vitest';
import { Parked } from '../../../src/errors.ts';
import type { RepositoryClient } from '../../../src/github/calls/repository-client.ts';
import { AmbiguousWrite } from '../../../src/github/refusals/errors.ts';
import { commentBody, pullRequestBody } from '../bodies.ts';
import { createClient } from '../create-client.ts';
import { startStandIn } from '../stand-in.ts';

const github = () => nock('https://api.github.com');
const jsonHeaders = { 'content-type': 'application/json' };
type Write = (client: RepositoryClient) => Promise<unknown>;

const writes: [string, 'POST' | 'PATCH' | 'DELETE', string, Write][] = [
  [
    'createPullRequest',
    'POST',
    '/repos/acme/docs/pulls',
    (client) => client.createPullRequest({ title: 't', head: 'pagewright/x', base: 'main', body: '', draft: false }),
  ],
  [
    'updatePullRequest',
    'PATCH',
    '/repos/acme/docs/pulls/7',
    (client) => client.updatePullRequest(7, { state: 'closed' }),
  ],
  ['createComment', 'POST', '/repos/acme/docs/issues/7/comments', (client) => client.createComment(7, 'hello')],
  ['deleteComment', 'DELETE', '/repos/acme/docs/issues/comments/1', (client) => client.deleteComment(1)],
  ['addLabels', 'POST', '/repos/acme/docs/issues/7/labels', (client) => client.addLabels(7, ['docs'])],
  [
    'requestReviewers',
    'POST',
    '/repos/acme/docs/pulls/7/requested_reviewers',
    (client) => client.requestReviewers(7, { users: ['ada'], teams: [] }),
  ],
  [
    'replyToReviewComment',
    'POST',
    '/repos/acme/docs/pulls/7/comments/31/replies',
    (client) => client.replyToReviewComment(7, 31, 'hello'),
  ],
  ['deleteReviewComment', 'DELETE', '/repos/acme/docs/pulls/comments/31', (client) => client.deleteReviewComment(31)],
  ['createBranch', 'POST', '/repos/acme/docs/git/refs', (client) => client.createBranch('pagewright/x', 'abc')],
  [
    'createSignedCommit',
    'POST',
    '/graphql',
    (client) =>
      client.createSignedCommit({
        branch: 'pagewright/x',
        expectedHead: 'abc',
        headline: 'Explain tokens',
        body: '',
        additions: [],
        deletions: ['old.md'],
      }),
  ],
];
const writesOf = (requests: string[]) => requests.filter((request) => !request.startsWith('GET '));

describe('promise 11: a write is sent exactly once', () => {
  describe.each(writes)('%s', (name, method, path, write) => {
    const settle = (client: RepositoryClient) =>
      write(client).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
    // createPullRequest returns the outcomes that the others throw.
    const ambiguous =
      name === 'createPullRequest' ? { value: { kind: 'ambiguous' } } : { error: { name: 'AmbiguousWrite' } };

    test.each([500, 502, 503, 504])('when GitHub answers %i, and is ambiguous', async (status) => {
      await using server = await startStandIn((_request, response) =>
        response.writeHead(status, jsonHeaders).end('{}'),
      );
      expect(await settle(createClient({ apiUrl: server.url }))).toMatchObject(ambiguous);
      expect(writesOf(server.requests)).toEqual([`${method} ${path}`]);
    });

    test.each([400, 401, 403, 404, 409, 410, 422, 429])(
      'when GitHub refuses with %i, and is not ambiguous',
      async (status) => {
        await using server = await startStandIn((_request, response) =>
          response.writeHead(status, jsonHeaders).end('{"message":"no"}'),
        );
        const end = await settle(createClient({ apiUrl: server.url }));
        expect(end).not.toMatchObject(ambiguous);
        expect(writesOf(server.requests)).toEqual([`${method} ${path}`]);
      },
    );

    test.each([301, 302, 303, 307, 308])('when GitHub redirects it with %i', async (status) => {
      await using server = await startStandIn((_request, response) =>
        response.writeHead(status, { location: '/repositories/42' }).end(),
      );
      expect(await settle(createClient({ apiUrl: server.url }))).toMatchObject({
        error: { message: expect.stringMatching(/^could not/) },
      });
      expect(writesOf(server.requests)).toEqual([`${method} ${path}`]);
    });

    test('when the connection breaks, and is ambiguous', async () => {
      await using server = await startStandIn((request) => request.socket.destroy());
      expect(await settle(createClient({ apiUrl: server.url }))).toMatchObject(ambiguous);
      expect(writesOf(server.requests)).toEqual([`${method} ${path}`]);
    });

    test('when it times out, and is ambiguous', async () => {
      for (let requestTimeoutMs = 100; ; requestTimeoutMs *= 4) {
        await using server = await startStandIn(() => undefined);
        expect(await settle(createClient({ apiUrl: server.url, requestTimeoutMs }))).toMatchObject(ambiguous);
        // On a machine under load, the time may be over before the request arrives.
        if (writesOf(server.requests).length === 0) continue;
        expect(writesOf(server.requests)).toEqual([`${method} ${path}`]);
        return;
      }
    });

    test('when the answer is truncated, and is ambiguous', async () => {
      await using server = await startStandIn((_request, response) => {
        response.writeHead(201, { ...jsonHeaders, 'content-length': 100 });
        response.write('{"number"', () => response.destroy());
      });
      expect(await settle(createClient({ apiUrl: server.url }))).toMatchObject(ambiguous);
      expect(writesOf(server.requests)).toEqual([`${method} ${path}`]);
    });
  });

  describe.each(
    writes.filter(([name]) =>
      ['createComment', 'replyToReviewComment', 'addLabels', 'requestReviewers'].includes(name),
    ),
  )('but %s on an object that GitHub does not know yet', (_name, _method, path, write) => {
    const unknown = { message: 'Could not resolve to a node with the global id of ‘PR_x’.' };
    const settleDelaysMs = [0, 0];

    test('is sent again until GitHub knows the object', async () => {
      github().post(path).times(2).reply(422, unknown);
      github()
        .post(path)
        .reply(201, { ...pullRequestBody(), ...commentBody() });
      await write(createClient({ settleDelaysMs }));
    });

    test('is refused after the last pause, and later writes of the client at once', async () => {
      github()
        .post(path)
        .times(4)
        .reply(422, { message: 'Validation Failed', errors: [unknown] });
      const client = createClient({ settleDelaysMs });
      await expect(write(client)).rejects.toMatchObject({ reason: 'refused' });
      await expect(write(client)).rejects.toMatchObject({ reason: 'refused' });
    });
  });

  test('an answer with an unexpected shape is ambiguous', async () => {
    github().post('/repos/acme/docs/issues/7/comments').reply(201, { ok: true });
    await expect(createClient().createComment(7, 'hello')).rejects.toBeInstanceOf(AmbiguousWrite);
  });

  test('a secondary rate limit parks a write', async () => {
    github()
      .post('/repos/acme/docs/issues/7/comments')
      .reply(403, { message: 'You have exceeded a secondary rate limit.' });
    await expect(createClient().createComment(7, 'hello')).rejects.toBeInstanceOf(Parked);
  });

  test('a write returns the created object', async () => {
    github().post('/repos/acme/docs/pulls').reply(201, pullRequestBody());
    github()
      .post('/repos/acme/docs/issues/7/comments', { body: 'hello' })
      .reply(201, commentBody({ id: 3 }));
    const created = await createClient().createPullRequest({
      title: 't',
      head: 'pagewright/x',
      base: 'main',
      body: '',
      draft: false,
    });
    expect(created).toMatchObject({ kind: 'created', pullRequest: { number: 7 } });
    expect(await createClient().createComment(7, 'hello')).toMatchObject({ commentId: 3 });
  });
});
