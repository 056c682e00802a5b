import nock from 'nock';
import { describe, expect, test } from 'vitest';
import { Parked } from '../../../src/errors.ts';
import { GitHubUnavailable } from '../../../src/github/refusals/errors.ts';
import { repositoryBody } from '../bodies.ts';
import { createClient } from '../create-client.ts';
import { startStandIn } from '../stand-in.ts';

const github = () => nock('https://api.github.com');

describe('every request', () => {
  test('names its API version, its sender and its token', async () => {
    const reqheaders = {
      'x-github-api-version': '2022-11-28',
      'user-agent': /^pagewright\/\d+\./,
      authorization: /ghs_5_a\.b\.c$/,
    };
    nock('https://api.github.com', { reqheaders }).get('/repos/acme/docs').reply(200, repositoryBody());
    await createClient().fetchRepository();
  });

  test('goes to the API of the configured server', async () => {
    nock('https://ghe.example').get('/api/v3/repos/acme/docs').reply(200, repositoryBody());
    await createClient({ apiUrl: 'https://ghe.example/api/v3' }).fetchRepository();
  });

  test('is not sent when its signal is aborted, and throws the reason', async () => {
    const reason = new Error('the lease is lost');
    await expect(createClient({ signal: AbortSignal.abort(reason) }).createComment(7, 'hello')).rejects.toBe(reason);
  });

  test('ends with its signal and throws the reason', async () => {
    const reason = new Error('the lease is lost');
    const controller = new AbortController();
    await using server = await startStandIn(() => controller.abort(reason));
    const client = createClient({ apiUrl: server.url, signal: controller.signal });
    await expect(client.createComment(7, 'hello')).rejects.toBe(reason);
    expect(server.requests).toHaveLength(1);
  });
});

describe('a read', () => {
  test.each([500, 502, 503])('is retried after %i', async (status) => {
    github().get('/repos/acme/docs').times(2).reply(status);
    github().get('/repos/acme/docs').reply(200, repositoryBody());
    expect((await createClient().fetchRepository()).repositoryId).toBe(42);
  });

  test('is retried after a broken connection', async () => {
    github()
      .get('/repos/acme/docs')
      .replyWithError(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    github().get('/repos/acme/docs').reply(200, repositoryBody());
    expect((await createClient().fetchRepository()).repositoryId).toBe(42);
  });

  test('is retried after a time-out', async () => {
    const body = JSON.stringify(repositoryBody());
    await using server = await startStandIn((_request, response) => {
      if (server.requests.length > 1) response.setHeader('content-type', 'application/json').end(body);
    });
    expect((await createClient({ apiUrl: server.url, requestTimeoutMs: 200 }).fetchRepository()).repositoryId).toBe(42);
    expect(server.requests).toHaveLength(2);
  });

  test('is retried after a truncated answer', async () => {
    const body = JSON.stringify(repositoryBody());
    await using server = await startStandIn((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      if (server.requests.length > 1) response.end(body);
      else response.write(body.slice(0, 20), () => response.destroy());
    });
    expect((await createClient({ apiUrl: server.url }).fetchRepository()).repositoryId).toBe(42);
    expect(server.requests).toHaveLength(2);
  });

  test('is retried after a 401 with a young token', async () => {
    github().get('/repos/acme/docs').reply(401, { message: 'Bad credentials' });
    github().get('/repos/acme/docs').reply(200, repositoryBody());
    expect((await createClient().fetchRepository()).repositoryId).toBe(42);
  });

  test('fails after three tries', async () => {
    github().get('/repos/acme/docs').times(3).reply(502);
    await expect(createClient().fetchRepository()).rejects.toBeInstanceOf(GitHubUnavailable);
  });

  test.each([403, 404, 409, 422])('is not retried after %i', async (status) => {
    github().get('/repos/acme/docs').reply(status, { message: 'no' });
    await expect(createClient().fetchRepository()).rejects.toMatchObject({ name: 'GitHubRefusal' });
  });

  test('follows a rename of the repository', async () => {
    await using server = await startStandIn((request, response) => {
      if (request.url === '/repositories/42' && request.headers.authorization?.endsWith('ghs_5_a.b.c')) {
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify(repositoryBody({ name: 'manual', full_name: 'acme/manual' })));
      } else response.writeHead(301, { location: '/repositories/42' }).end();
    });
    expect((await createClient({ apiUrl: server.url }).fetchRepository()).fullName).toBe('acme/manual');
  });
});

describe('a rate limit', () => {
  test('parks the run and blocks the installation', async () => {
    const blocked: [number, Date][] = [];
    github().get('/repos/acme/docs').reply(403, {}, { 'retry-after': '120' });
    const client = createClient({
      onLimited: (installationId, { until }) => void blocked.push([installationId, until]),
    });
    const parked = await client.fetchRepository().catch((error: unknown) => error);
    expect(parked).toBeInstanceOf(Parked);
    expect(blocked).toEqual([[9, parked instanceof Parked ? parked.until : undefined]]);
    expect(blocked[0]?.[1].getTime()).toBeGreaterThan(Date.now() + 100_000);
  });

  test('differs from a missing permission, which the error names', async () => {
    github()
      .post('/repos/acme/docs/pulls')
      .reply(
        403,
        { message: 'Resource not accessible by integration' },
        { 'x-accepted-github-permissions': 'pull_requests=write', 'x-ratelimit-remaining': '4000' },
      );
    const failure = createClient().createPullRequest({
      title: 't',
      head: 'pagewright/x',
      base: 'main',
      body: '',
      draft: false,
    });
    await expect(failure).rejects.toMatchObject({
      name: 'GitHubRefusal',
      reason: 'permission_missing',
      message: expect.stringContaining('lacks pull_requests=write'),
    });
  });
});
