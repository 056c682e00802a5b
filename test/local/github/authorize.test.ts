import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { app, createFixture } from './github-fixture.ts';

const callback = 'http://127.0.0.1:3000/auth/callback';
const verifier = 'a-verifier-of-forty-three-or-more-characters';
const challenge = createHash('sha256').update(verifier).digest('base64url');
const clientId = 'Iv23lipagewright';
const clientSecret = 'the client secret of these tests';
const asked = {
  client_id: clientId,
  redirect_uri: callback,
  state: 'st&te',
  code_challenge: challenge,
  code_challenge_method: 'S256',
};

async function start(settings: Parameters<typeof createFixture>[0] = {}) {
  const fixture = await createFixture({
    ...settings,
    app: { ...app, clientSecret, callbackUrls: [callback] },
  });
  onTestFinished(() => fixture[Symbol.asyncDispose]());
  const { github } = fixture;
  github.addUser('rita');
  const send = (path: string, fields: Record<string, string>) =>
    fetch(`${github.webUrl}${path}`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  const readTarget = (response: Response) => new URL(response.headers.get('location') ?? 'about:blank');
  const answer = async (fields: Record<string, string> = {}) =>
    readTarget(await send('/login/oauth/authorize', { ...asked, as: 'rita', answer: 'authorize', ...fields }));
  return {
    github,
    answer,
    visit: (query: Record<string, string>) =>
      fetch(`${github.webUrl}/login/oauth/authorize?${new URLSearchParams(query)}`, { redirect: 'manual' }),
    readTarget,
    authorize: async () => (await answer()).searchParams.get('code') ?? '',
    async exchange(fields: Record<string, string>) {
      const body = new URLSearchParams({
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uri: callback,
        code_verifier: verifier,
        ...fields,
      });
      const headers = { accept: 'application/json' };
      const response = await fetch(`${github.webUrl}/login/oauth/access_token`, { method: 'POST', body, headers });
      return (await response.json()) as Record<string, string>;
    },
  };
}

test('a code is good once, for ten minutes, with the verifier, the secret and the address of its request', async () => {
  let now = new Date();
  const { authorize, exchange } = await start({ clock: () => now });
  const refusals = [
    [{ code_verifier: 'another-verifier' }, 'bad_verification_code'],
    [{ client_secret: 'wrong' }, 'incorrect_client_credentials'],
    [{ redirect_uri: 'http://127.0.0.1:3000/elsewhere' }, 'redirect_uri_mismatch'],
  ] as const;
  for (const [fields, error] of refusals) {
    expect(await exchange({ code: await authorize(), ...fields })).toMatchObject({ error });
  }
  const used = await authorize();
  expect(await exchange({ code: used })).toHaveProperty('access_token');
  expect(await exchange({ code: used })).toMatchObject({ error: 'bad_verification_code' });
  const late = await authorize();
  now = new Date(now.getTime() + 10 * 60_000);
  expect(await exchange({ code: late })).toMatchObject({ error: 'bad_verification_code' });
});

test('only registered addresses are asked for; the port of a loopback address is free', async () => {
  const { visit, readTarget } = await start();
  const elsewhere = readTarget(await visit({ ...asked, redirect_uri: 'https://evil.example/auth/callback' }));
  expect(`${elsewhere.origin}${elsewhere.pathname}`).toBe(callback);
  expect(elsewhere.searchParams.get('error')).toBe('redirect_uri_mismatch');
  expect((await visit({ ...asked, redirect_uri: 'http://127.0.0.1:9/auth/callback' })).status).toBe(200);
  expect((await visit({ ...asked, client_id: 'another' })).status).toBe(404);
  expect((await visit({ ...asked, code_challenge_method: 'plain' })).status).toBe(400);
});
