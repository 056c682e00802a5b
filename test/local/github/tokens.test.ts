import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { expect, test } from 'vitest';
import { app, createFixture, docs } from './github-fixture.ts';

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function signJwt(claims: Record<string, unknown>, key = app.privateKey, alg = 'RS256'): string {
  const text = `${part({ alg, typ: 'JWT' })}.${part(claims)}`;
  if (alg === 'HS256') return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`;
}

const now = () => Math.floor(Date.now() / 1000);
const stranger = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
}).privateKey;

test.each([
  ['one of its id', () => signJwt({ iat: now() - 30, exp: now() + 500, iss: app.id }), 200],
  ['one of its client id', () => signJwt({ iat: now() - 30, exp: now() + 500, iss: 'Iv23lipagewright' }), 200],
  ['of another app', () => signJwt({ iat: now(), exp: now() + 500, iss: 1 }), 404],
  ['signed by a stranger', () => signJwt({ iat: now(), exp: now() + 500, iss: app.id }, stranger), 401],
  ['signed with the public text', () => signJwt({ iat: now(), exp: now() + 500, iss: app.id }, 'x', 'HS256'), 401],
  ['that has expired', () => signJwt({ iat: now() - 700, exp: now() - 100, iss: app.id }), 401],
  ['from the future', () => signJwt({ iat: now() + 300, exp: now() + 500, iss: app.id }), 401],
  ['that lives too long', () => signJwt({ iat: now(), exp: now() + 3600, iss: app.id }), 401],
  ['without an expiry', () => signJwt({ iat: now(), iss: app.id }), 401],
  ['that is no JWT', () => 'a.b.c', 401],
])('a JSON web token %s is answered right', async (_name, jwt, status) => {
  await using fixture = await createFixture();
  const answer = await fetch(`${fixture.github.apiUrl}/app`, { headers: { authorization: `Bearer ${jwt()}` } });
  expect(answer.status).toBe(status);
});

test.each([
  ['a permission the installation lacks', { permissions: { workflows: 'write' } }],
  ['a level the installation lacks', { permissions: { metadata: 'write' } }],
  ['a repository that does not exist', { repositories: ['nowhere'] }],
  ['a repository of someone else', { repositories: ['theirs'] }],
  ['an id that does not exist', { repository_ids: [1] }],
])('minting is refused for %s', async (_name, options) => {
  await using fixture = await createFixture();
  await fixture.github.addRepository({ owner: 'other', name: 'theirs', files: { a: 'a' } });
  await expect(fixture.mint(options)).rejects.toMatchObject({ status: 422 });
});

test('a token sees only the repositories it was narrowed to', async () => {
  await using fixture = await createFixture();
  await fixture.github.addRepository({ owner: 'acme', name: 'blog', files: { a: 'a' } });
  const { token } = await fixture.mint({ repositories: ['blog'] });
  const octokit = fixture.withToken(token);
  const { data } = await octokit.rest.apps.listReposAccessibleToInstallation();
  expect(data.repositories.map(({ full_name }) => full_name)).toEqual(['acme/blog']);
  await expect(octokit.rest.repos.get(docs)).rejects.toMatchObject({ status: 404 });
});

test('a token stops working when it is revoked, its repository leaves or its installation is deleted', async () => {
  await using fixture = await createFixture();
  const { github, installationId } = fixture;
  const [first, second] = await Promise.all([fixture.mint(), fixture.mint()]);
  await fixture.withToken(first.token).rest.apps.revokeInstallationAccessToken();
  await expect(fixture.withToken(first.token).rest.repos.get(docs)).rejects.toMatchObject({ status: 401 });
  const octokit = fixture.withToken(second.token);
  github.removeFromInstallation(installationId, ['docs']);
  await expect(octokit.rest.repos.get(docs)).rejects.toMatchObject({ status: 404 });
  github.addToInstallation(installationId, ['docs']);
  await octokit.rest.repos.get(docs);
  github.suspend(installationId);
  await expect(octokit.rest.repos.get(docs)).rejects.toMatchObject({ status: 403 });
  await expect(fixture.mint()).rejects.toMatchObject({ status: 403 });
  github.unsuspend(installationId);
  await octokit.rest.repos.get(docs);
  github.uninstall(installationId);
  await expect(octokit.rest.repos.get(docs)).rejects.toMatchObject({ status: 401 });
  await expect(fixture.mint()).rejects.toMatchObject({ status: 404 });
});

test('a route of the App refuses an installation token', async () => {
  await using fixture = await createFixture();
  const { token } = await fixture.mint();
  await expect(fixture.withToken(token).request('GET /app')).rejects.toMatchObject({ status: 401 });
  const asApp = new Octokit({
    baseUrl: fixture.github.apiUrl,
    authStrategy: createAppAuth,
    auth: { appId: app.id, privateKey: app.privateKey },
  });
  expect((await asApp.request('GET /app')).status).toBe(200);
});
