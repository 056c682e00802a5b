import nock from 'nock';
import { describe, expect, test } from 'vitest';
import { Parked } from '../../../src/errors.ts';
import type { Answered, Transport } from '../../../src/github/client/transport.ts';
import type { Admission, RequestToAdmit } from '../../../src/github/limits/admission.ts';
import { AmbiguousWrite } from '../../../src/github/refusals/errors.ts';
import { repositoryBody } from '../bodies.ts';
import { createApp } from '../create-app.ts';
import { createClient } from '../create-client.ts';

const github = () => nock('https://api.github.com');
const repository = '/repos/acme/docs';
const comments = '/repos/acme/docs/issues/7/comments';
const reactions = '/repos/acme/docs/issues/comments/8/reactions';
const { signal } = new AbortController();
const exhausted = () => ({
  'x-ratelimit-limit': '5000',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 600),
});

/** Admits every request. `admitted` are the requests, `reported` the limits. */
function createGate({ waitedMs = 0, wasLimited = false }: Partial<Admission> = {}) {
  const admitted: Omit<RequestToAdmit, 'signal'>[] = [];
  const reported: string[] = [];
  const answers: Answered[] = [];
  const hooks = {
    async admit({ signal: _signal, ...request }) {
      admitted.push(request);
      return { waitedMs, wasLimited };
    },
    onLimited(installationId, { kind, until, isStated }) {
      const seconds = Math.round((until.getTime() - Date.now()) / 1000);
      reported.push(`${installationId} ${kind}${isStated ? '' : ' unstated'} ${seconds}`);
      return undefined;
    },
    onRecovered: (installationId) => void reported.push(`${installationId} recovered`),
    onAnswered: (answered) => void answers.push(answered),
  } satisfies Partial<Transport>;
  return { admitted, reported, answers, hooks };
}

const parkedUntil = new Date(Date.now() + 600_000);
const closed: Partial<Transport> = {
  admit: async () => {
    throw new Parked(parkedUntil, 'not now');
  },
};

function mintOnce(app: ReturnType<typeof createApp>, token = 'ghs_minted') {
  const body = { token, expires_at: new Date(Date.now() + 3600_000), permissions: {} };
  github().post('/app/installations/9/access_tokens').reply(201, body, exhausted());
  return app.mintToken({ installationId: 9, repositoryId: 42, permissions: {}, signal });
}

describe('promise 21: each request needs admission', () => {
  const patienceMs = 30_000;
  const installationId = 9;

  test('of a read', async () => {
    const { admitted, hooks } = createGate();
    github().get(repository).reply(200, repositoryBody());
    await createClient(hooks).fetchRepository();
    expect(admitted).toEqual([{ installationId, isWrite: false, patienceMs }]);
  });

  test('of each try of a read', async () => {
    const { admitted, hooks } = createGate();
    github().get(repository).times(2).reply(502);
    github().get(repository).reply(200, repositoryBody());
    await createClient(hooks).fetchRepository();
    expect(admitted).toHaveLength(3);
  });

  test('of a write', async () => {
    const { admitted, hooks } = createGate();
    github().post(reactions).reply(201, { id: 1 });
    github().delete('/repos/acme/docs/issues/comments/8').reply(204);
    const client = createClient(hooks);
    await client.addReaction({ on: 'comment', commentId: 8 });
    await client.deleteComment(8);
    expect(admitted.map(({ isWrite }) => isWrite)).toEqual([true, true]);
  });

  test('of a mutation', async () => {
    const { admitted, hooks } = createGate();
    const oid = 'a'.repeat(40);
    github()
      .post('/graphql')
      .reply(200, { data: { createCommitOnBranch: { commit: { oid } } } });
    const commit = { branch: 'b', expectedHead: oid, headline: 'h', body: '', additions: [], deletions: [] };
    await createClient(hooks).createSignedCommit(commit);
    expect(admitted).toEqual([{ installationId, isWrite: true, patienceMs }]);
  });

  test('of minting and revoking a token, which are not writes of the installation', async () => {
    const { admitted, hooks } = createGate();
    const app = createApp(hooks);
    const { token } = await mintOnce(app);
    github().delete('/installation/token').reply(204);
    await app.revokeToken(token);
    expect(admitted.map(({ isWrite }) => isWrite)).toEqual([false, false]);
  });

  test('of git with a token, until it is revoked', async () => {
    const { admitted, hooks } = createGate();
    const app = createApp(hooks);
    const { token } = await mintOnce(app);
    admitted.length = 0;
    await app.admitGit({ token, signal });
    expect(admitted).toEqual([{ installationId, isWrite: false, patienceMs: 0 }]);
    github().delete('/installation/token').reply(204);
    await app.revokeToken(token);
    admitted.length = 0;
    await app.admitGit({ token, signal });
    expect(admitted).toEqual([]);
  });

  test('of reading the bot’s account with an installation’s token', async () => {
    const { admitted, hooks } = createGate();
    const app = createApp(hooks);
    const { token } = await mintOnce(app);
    admitted.length = 0;
    github().get('/app').reply(200, { id: 5, slug: 'pagewright', name: 'Pagewright' });
    github().get('/users/pagewright%5Bbot%5D').reply(200, { id: 77 });
    await app.fetchBot({ token, signal });
    // The App reads its own identity without a token.
    expect(admitted).toEqual([{ installationId, isWrite: false, patienceMs }]);
  });
});

describe('promise 21: a request without admission is not sent', () => {
  // Nothing is mocked, so a sent request would fail as unexpected.
  test.each<[string, () => Promise<unknown>]>([
    ['a read', () => createClient(closed).fetchRepository()],
    ['a write', () => createClient(closed).createComment(7, 'hello')],
    ['a token', () => createApp(closed).mintToken({ installationId: 9, repositoryId: 42, permissions: {}, signal })],
  ])('%s is parked until admission', async (_name, send) => {
    await expect(send()).rejects.toMatchObject({ name: 'Parked', until: parkedUntil });
  });

  test('git is parked, and a token is not revoked', async () => {
    let isOpen = true;
    const app = createApp({
      admit: async (request) => {
        if (isOpen) return { waitedMs: 0, wasLimited: false };
        return closed.admit?.(request) ?? { waitedMs: 0, wasLimited: false };
      },
    });
    const { token } = await mintOnce(app);
    isOpen = false;
    await expect(app.admitGit({ token, signal })).rejects.toMatchObject({ until: parkedUntil });
    await app.revokeToken(token);
  });

  test('an error of the admission is thrown unchanged', async () => {
    const lost = new Error('the database is away');
    const client = createClient({
      admit: async () => {
        throw lost;
      },
    });
    await expect(client.fetchRepository()).rejects.toBe(lost);
    await expect(client.createComment(7, 'hello')).rejects.toBe(lost);
  });

  test('one client waits at most a minute for its slots', async () => {
    const { admitted, hooks } = createGate({ waitedMs: 25_000 });
    github().post(reactions).times(3).reply(201, { id: 1 });
    const client = createClient(hooks);
    for (let count = 0; count < 3; count += 1) await client.addReaction({ on: 'comment', commentId: 8 });
    expect(admitted.map(({ patienceMs }) => patienceMs)).toEqual([30_000, 30_000, 10_000]);
  });
});

describe('promise 21: the rate limits in an answer are reported', () => {
  const read = (hooks: Partial<Transport>) => createClient(hooks).fetchRepository();

  test('a refusal, with the returned time as the end', async () => {
    const { reported, hooks } = createGate({ wasLimited: true });
    const body = { message: 'You have exceeded a secondary rate limit.' };
    github().get(repository).reply(403, body, { 'retry-after': '120' });
    github().get(repository).reply(403, body);
    const onLimited: Transport['onLimited'] = async (...limit) => {
      hooks.onLimited(...limit);
      return parkedUntil;
    };
    const parked = { name: 'Parked', until: parkedUntil };
    await expect(read({ ...hooks, onLimited })).rejects.toMatchObject(parked);
    await expect(read({ ...hooks, onLimited })).rejects.toMatchObject(parked);
    expect(reported).toEqual(['9 secondary 121', '9 secondary unstated 60']);
  });

  test.each([
    ['a success', 200, repositoryBody()],
    ['another refusal', 404, { message: 'Not Found' }],
  ])('%s that was the last request of the hour', async (_name, status, body) => {
    const { reported, hooks } = createGate({ wasLimited: true });
    github().get(repository).reply(status, body, exhausted());
    const answer = await read(hooks).catch((error: unknown) => error);
    expect(answer).toMatchObject(status === 200 ? { repositoryId: 42 } : { reason: 'repository_gone' });
    expect(reported).toEqual([expect.stringMatching(/^9 primary 60[01]$/)]);
  });

  test.each([
    ['a success after a limit', true, 200, ['9 recovered']],
    ['another refusal after a limit', true, 404, ['9 recovered']],
    ['no usable answer after a limit', true, 500, []],
    ['a success without a limit', false, 200, []],
  ])('%s', async (_name, wasLimited, status, expected) => {
    const { reported, hooks } = createGate({ wasLimited });
    github()
      .get(repository)
      .reply(status, status === 200 ? repositoryBody() : {});
    await read({ ...hooks, retryDelaysMs: [] }).catch(() => {});
    expect(reported).toEqual(expected);
  });

  test('but not those of an answer to the App, which has separate limits', async () => {
    const { reported, hooks } = createGate({ wasLimited: true });
    await mintOnce(createApp(hooks));
    expect(reported).toEqual([]);
  });
});

describe('each answer is reported once', () => {
  const answered = (method: string, status: number, more: object = {}) => ({
    method,
    status,
    installationId: 9,
    remaining: undefined,
    limit: undefined,
    ...more,
  });

  test('of every try of a read, with the requests left in the hour', async () => {
    const { answers, hooks } = createGate();
    github()
      .get(repository)
      .replyWithError(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    github().get(repository).reply(502);
    const headers = { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '4321' };
    github().get(repository).reply(200, repositoryBody(), headers);
    await createClient(hooks).fetchRepository();
    const left = { remaining: 4321, limit: 5000 };
    expect(answers).toEqual([answered('GET', 0), answered('GET', 502), answered('GET', 200, left)]);
  });

  test.each([403, 422, 500])('of a write with status %i', async (status) => {
    const { answers, hooks } = createGate();
    github().post(comments).reply(status, {}, { 'retry-after': '60' });
    await createClient(hooks)
      .createComment(7, 'hello')
      .catch(() => {});
    expect(answers).toEqual([answered('POST', status)]);
  });

  test('of the App, without an installation', async () => {
    const { answers, hooks } = createGate();
    github().get('/app').reply(200, { id: 5, slug: 'pagewright', name: 'Pagewright' });
    await createApp(hooks).fetchApp(signal);
    expect(answers).toEqual([answered('GET', 200, { installationId: undefined })]);
  });

  test('and a write without an answer is ambiguous', async () => {
    const { answers, hooks } = createGate();
    github().post(comments).replyWithError(new Error('reset'));
    await expect(createClient(hooks).createComment(7, 'hello')).rejects.toBeInstanceOf(AmbiguousWrite);
    expect(answers).toEqual([answered('POST', 0)]);
  });
});
