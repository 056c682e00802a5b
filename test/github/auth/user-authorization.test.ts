import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startGitHub } from '../../../local/github/start-github.ts';
import { createUserAuthorization } from '../../../src/github/auth/user-authorization.ts';

const callbackUrl = 'http://127.0.0.1:3000/auth/callback';
const verifier = 'a-verifier-of-forty-three-or-more-characters';
const { signal } = new AbortController();

async function start({ clientSecret = 'the secret' } = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'sign-in-'));
  const github = await startGitHub({
    directory,
    app: {
      id: 1,
      slug: 'docs',
      clientId: 'Iv1',
      clientSecret: 'the secret',
      callbackUrls: [callbackUrl],
      privateKey: inject('privateKey'),
      webhookSecret: 'hush',
    },
  });
  onTestFinished(async () => {
    await github.stop();
    await rm(directory, { recursive: true });
  });
  const { id: userId } = github.addUser('rita');
  const hidden: string[] = [];
  const unrevoked: unknown[] = [];
  const authorization = createUserAuthorization({
    clientId: 'Iv1',
    clientSecret,
    apiUrl: github.apiUrl,
    webUrl: github.webUrl,
    retryDelaysMs: [],
    secrets: { hide: (secret) => hidden.push(secret), forget: () => {} },
    onUnrevoked: (error) => unrevoked.push(error),
  });
  return {
    github,
    userId,
    hidden,
    unrevoked,
    identify: (code: string, otherVerifier = verifier) =>
      authorization.identify({ code, verifier: otherVerifier, callbackUrl }, signal),
    async authorize() {
      const url = new URL(authorization.formatUrl({ state: 's', verifier, callbackUrl }));
      const body = new URLSearchParams(url.search);
      body.set('as', 'rita');
      body.set('answer', 'authorize');
      const answer = await fetch(`${url.origin}${url.pathname}`, { method: 'POST', body, redirect: 'manual' });
      return new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
    },
  };
}

test('a code tells who signs in, and their token ends with that', async () => {
  const { github, userId, hidden, identify, authorize } = await start();
  expect(await identify(await authorize())).toEqual({ kind: 'person', person: { login: 'rita', userId } });
  expect(github.requests.map(({ route, status }) => [route, status])).toEqual([
    ['GET /user', 200],
    ['DELETE /applications/:client_id/token', 204],
  ]);
  const [token] = hidden;
  const headers = { authorization: `bearer ${token}`, 'user-agent': 'test' };
  expect((await fetch(`${github.apiUrl}/user`, { headers })).status).toBe(401);
});

test('a code of another browser, a used one and an invented one tell nothing', async () => {
  const { identify, authorize } = await start();
  const refused = { kind: 'refused', error: 'bad_verification_code' };
  expect(await identify(await authorize(), 'another-verifier-of-another-browser-entirely')).toEqual(refused);
  const code = await authorize();
  await identify(code);
  expect(await identify(code)).toEqual(refused);
  expect(await identify('invented')).toEqual(refused);
});

test('a wrong secret is an error of the configuration, which does not show it', async () => {
  const { identify, authorize } = await start({ clientSecret: 'not the secret' });
  const failed = identify(await authorize());
  await expect(failed).rejects.toThrow('incorrect_client_credentials');
  await expect(failed).rejects.not.toThrow('not the secret');
});

test('the token is revoked when GitHub does not say whose it is, and a failed revocation is told', async () => {
  const { github, identify, authorize, unrevoked } = await start();
  github.inject({ method: 'GET', path: /^\/user$/, kind: 'before' });
  await expect(identify(await authorize())).rejects.toThrow('GitHub gave no usable answer');
  expect(github.requests.at(-1)).toMatchObject({ method: 'DELETE', status: 204 });
  github.inject({ method: 'DELETE', path: /token$/, kind: 'before' });
  expect(await identify(await authorize())).toMatchObject({ kind: 'person' });
  expect(unrevoked).toHaveLength(1);
});
