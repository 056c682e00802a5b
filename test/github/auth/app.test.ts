import { createPublicKey, createVerify } from 'node:crypto';
import nock from 'nock';
import { describe, expect, test } from 'vitest';
import { repositoryBody } from '../bodies.ts';
import { createApp, privateKey } from '../create-app.ts';

const github = () => nock('https://api.github.com');
const { signal } = new AbortController();

const installation = (more: object = {}) => ({
  id: 9,
  account: { login: 'acme' },
  suspended_at: null,
  permissions: { metadata: 'read', contents: 'write' },
  ...more,
});

describe('the App', () => {
  test('reads its identity once, with its own key', async () => {
    const isSigned = (authorization: unknown) => {
      const [header = '', payload = '', signature = ''] = String(authorization)
        .replace(/^bearer /i, '')
        .split('.');
      const verify = createVerify('RSA-SHA256').update(`${header}.${payload}`);
      return verify.verify(createPublicKey(privateKey), signature, 'base64url');
    };
    nock('https://api.github.com', { reqheaders: { authorization: isSigned } })
      .get('/app')
      .reply(200, { id: 5, slug: 'pagewright', name: 'Pagewright' });
    const app = createApp();
    expect(await app.fetchApp(signal)).toEqual({ appId: 5, slug: 'pagewright', name: 'Pagewright' });
    expect(await app.fetchApp(signal)).toEqual({ appId: 5, slug: 'pagewright', name: 'Pagewright' });
  });

  test('reads its bot account and the address that links commits to it', async () => {
    github().get('/app').reply(200, { id: 5, slug: 'pagewright', name: 'Pagewright' });
    nock('https://api.github.com', { reqheaders: { authorization: /ghs_x$/ } })
      .get('/users/pagewright%5Bbot%5D')
      .reply(200, { id: 1234 });
    const app = createApp();
    const bot = { login: 'pagewright[bot]', userId: 1234, email: '1234+pagewright[bot]@users.noreply.github.com' };
    expect(await app.fetchBot({ token: 'ghs_x', signal })).toEqual(bot);
    expect(await app.fetchBot({ token: 'ghs_x', signal })).toEqual(bot);
  });

  test('uses its own id when its bot account is not visible', async () => {
    nock('https://ghe.example').get('/api/v3/app').reply(200, { id: 5, slug: 'pagewright', name: 'Pagewright' });
    nock('https://ghe.example').get('/api/v3/users/pagewright%5Bbot%5D').reply(404, { message: 'Not Found' });
    const app = createApp({ apiUrl: 'https://ghe.example/api/v3', webUrl: 'https://ghe.example' });
    expect(await app.fetchBot({ token: 'ghs_x', signal })).toMatchObject({
      userId: 5,
      email: '5+pagewright[bot]@users.noreply.ghe.example',
    });
  });

  test('finds its installation on a repository', async () => {
    github()
      .get('/repos/acme/docs/installation')
      .reply(200, installation({ suspended_at: '2026-11-01T00:00:00Z' }));
    github().get('/repos/acme/other/installation').reply(404, { message: 'Not Found' });
    const app = createApp();
    expect(await app.findInstallationOf({ owner: 'acme', repo: 'docs' }, signal)).toEqual({
      installationId: 9,
      account: 'acme',
      suspendedAt: new Date('2026-11-01T00:00:00Z'),
      permissions: { metadata: 'read', contents: 'write' },
    });
    expect(await app.findInstallationOf({ owner: 'acme', repo: 'other' }, signal)).toBeUndefined();
  });

  test('lists its installations', async () => {
    const enterprise = installation({ id: 10, account: { slug: 'acme-corp' } });
    github().get('/app/installations?page=1&per_page=100').reply(200, [installation(), enterprise]);
    const installations = await createApp().listInstallations(signal);
    expect(installations.map(({ installationId, account }) => [installationId, account])).toEqual([
      [9, 'acme'],
      [10, 'acme-corp'],
    ]);
  });

  test('lists the repositories of an installation with a minimal token and revokes it', async () => {
    github()
      .post('/app/installations/9/access_tokens', { permissions: { metadata: 'read' } })
      .reply(201, { token: 'ghs_x', expires_at: '2026-11-20T13:00:00Z' });
    nock('https://api.github.com', { reqheaders: { authorization: /ghs_x$/ } })
      .get('/installation/repositories?page=1&per_page=100')
      .reply(200, { total_count: 1, repositories: [repositoryBody()] })
      .delete('/installation/token')
      .reply(204);
    expect(await createApp().listRepositories(9, signal)).toMatchObject([{ repositoryId: 42, fullName: 'acme/docs' }]);
  });
});

describe('a token', () => {
  const tokenRequest = {
    installationId: 9,
    repositoryId: 42,
    permissions: { contents: 'write' } as const,
    signal,
  };
  const path = '/app/installations/9/access_tokens';
  const minted = {
    token: 'ghs_x',
    expires_at: '2026-11-20T13:00:00Z',
    permissions: { contents: 'write', metadata: 'read' },
  };

  test('is minted for one repository and the requested permissions', async () => {
    github()
      .post(path, { repository_ids: [42], permissions: { contents: 'write' } })
      .reply(201, minted);
    expect(await createApp().mintToken(tokenRequest)).toEqual({
      token: 'ghs_x',
      permissions: { contents: 'write', metadata: 'read' },
      repository: null,
    });
  });

  test.each([
    ['fully', [repositoryBody({ name: 'manual', full_name: 'acme/manual', archived: true })], 'acme/manual'],
    ['partly', [{ id: 42, name: 'docs' }], undefined],
    ['as another one', [repositoryBody({ id: 43 })], undefined],
  ])('has the repository that GitHub describes %s', async (_name, repositories, fullName) => {
    github()
      .post(path)
      .reply(201, { ...minted, repositories });
    expect((await createApp().mintToken(tokenRequest)).repository?.fullName).toBe(fullName);
  });

  test('is minted by the configured server', async () => {
    nock('https://ghe.example').post(`/api/v3${path}`).reply(201, minted);
    expect(await createApp({ apiUrl: 'https://ghe.example/api/v3' }).mintToken(tokenRequest)).toMatchObject({
      token: 'ghs_x',
    });
  });

  test('is requested again when GitHub fails', async () => {
    github().post(path).reply(502);
    github().post(path).reply(201, minted);
    expect(await createApp().mintToken(tokenRequest)).toMatchObject({ token: 'ghs_x' });
  });

  test.each([
    ['installation_gone', 'the installation is gone', 404, 404, { message: 'Not Found' }],
    [
      'installation_suspended',
      'the installation is suspended',
      403,
      200,
      installation({ suspended_at: '2026-11-01T00:00:00Z' }),
    ],
    [
      'permission_missing',
      'the installation lacks a permission',
      422,
      200,
      installation({ permissions: { contents: 'read' } }),
    ],
    ['repository_gone', 'the repository is not in the installation', 422, 200, installation()],
    ['refused', 'something else forbids it, such as an IP allow list', 403, 200, installation()],
  ])('is refused as %s when %s', async (reason, _name, status, installationStatus, body) => {
    github().post(path).reply(status, { message: 'no' });
    github().get('/app/installations/9').reply(installationStatus, body);
    await expect(createApp().mintToken(tokenRequest)).rejects.toMatchObject({ name: 'GitHubRefusal', reason });
  });

  test.each([
    ['the App’s key is wrong', 401, 'A JSON web token could not be decoded'],
    ['no App has this id', 404, 'Integration not found'],
  ])('is refused after one request when %s', async (_name, status, message) => {
    github().post(path).reply(status, { message });
    await expect(createApp().mintToken(tokenRequest)).rejects.toMatchObject({
      name: 'AppKeyRefused',
      message: `could not mint a token for installation 9: GitHub answered ${status} ${message}`,
    });
  });

  test('an App with a wrong id is not taken for one without installations', async () => {
    const notFound = { message: 'Integration not found' };
    github().get('/app/installations/9').reply(404, notFound);
    github().get('/repos/acme/docs/installation').reply(404, notFound);
    const { signal } = new AbortController();
    const refused = { name: 'AppKeyRefused' };
    await expect(createApp().fetchInstallation(9, signal)).rejects.toMatchObject(refused);
    await expect(createApp().findInstallationOf({ owner: 'acme', repo: 'docs' }, signal)).rejects.toMatchObject(
      refused,
    );
  });

  test('parks the run and blocks the installation at a rate limit', async () => {
    const blocked: number[] = [];
    github().post(path).reply(429, {}, { 'retry-after': '10' });
    const app = createApp({ onLimited: (installationId) => void blocked.push(installationId) });
    await expect(app.mintToken(tokenRequest)).rejects.toMatchObject({ name: 'Parked' });
    expect(blocked).toEqual([9]);
  });

  test('is revoked, and a failed revocation is not an error', async () => {
    github().delete('/installation/token').reply(204);
    github().delete('/installation/token').reply(500);
    const app = createApp();
    await app.revokeToken('ghs_x');
    await app.revokeToken('ghs_x');
  });

  test('opens a client for its repository', async () => {
    github().get('/repos/acme/docs').reply(200, repositoryBody());
    const { token, permissions } = { ...tokenRequest, token: 'ghs_x' };
    const client = createApp().repositoryClient({
      installationId: 9,
      owner: 'acme',
      repo: 'docs',
      repositoryId: 42,
      token,
      permissions,
      signal,
    });
    expect((await client.fetchRepository()).fullName).toBe('acme/docs');
  });
});
