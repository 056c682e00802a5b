import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type GitHubSettings, startGitHub } from '../../../local/github/start-github.ts';
import { createReceiver } from './github-fixture.ts';

const redirectUrl = 'http://127.0.0.1:3000/setup/github/callback?from=1';
const manifest = {
  name: 'Acme Docs "Bot"',
  url: 'https://docs.example.com',
  hook_attributes: { url: 'http://127.0.0.1:3000/api/github/webhooks' },
  redirect_url: redirectUrl,
  public: true,
  default_permissions: { contents: 'write', pull_requests: 'write', issues: 'write' },
  default_events: ['pull_request', 'issue_comment'],
};

/** A stand-in without an App, with a person, an organization and its repository. */
async function start(settings: Partial<GitHubSettings> = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'local-github-'));
  const github = await startGitHub({ directory, ...settings });
  github.addUser('mona');
  await github.addRepository({ owner: 'acme', name: 'docs', files: { 'README.md': '# Docs\n' } });
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${github.webUrl}${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
      headers,
    });
  return {
    github,
    post,
    convert: (code: string) =>
      fetch(`${github.apiUrl}/app-manifests/${code}/conversions`, {
        method: 'POST',
        headers: { 'user-agent': 'test' },
      }),
    async [Symbol.asyncDispose]() {
      await github.stop();
      await rm(directory, { recursive: true });
    },
  };
}

const codeOf = (location: string | null) => new URL(location ?? '').searchParams.get('code') ?? '';

const converted = z.object({
  id: z.number(),
  slug: z.string(),
  client_id: z.string(),
  client_secret: z.string().length(40),
  webhook_secret: z.string().length(40),
  pem: z.string().startsWith('-----BEGIN RSA PRIVATE KEY-----'),
  owner: z.looseObject({ login: z.string(), type: z.string() }),
  permissions: z.record(z.string(), z.string()),
  events: z.array(z.string()),
});

test.each([
  ['a person', '/settings/apps', { as: 'mona' }, { login: 'mona', type: 'User' }],
  ['an organization', '/organizations/acme/settings/apps', {}, { login: 'acme', type: 'Organization' }],
])('an App is registered from a manifest for %s, installed, and works', async (_name, path, fields, owner) => {
  await using receiver = await createReceiver();
  await using fixture = await start();
  const { github, post, convert } = fixture;
  const text = JSON.stringify({ ...manifest, hook_attributes: { url: receiver.url } });
  // As a browser sends it from the page of the service.
  const page = await post(`${path}/new?state=a%20b`, { manifest: text }, { origin: 'http://127.0.0.1:3000' });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Create GitHub App</button>')]);
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self' http://127.0.0.1:3000;");
  const pressed = await post(path, { manifest: text, state: 'a b', ...fields }, { origin: github.webUrl });
  expect(pressed.status).toBe(302);
  const location = pressed.headers.get('location');
  const code = codeOf(location);
  expect(location).toBe(`${redirectUrl}&code=${code}&state=a+b`);

  const answer = await convert(code);
  expect(answer.status).toBe(201);
  const app = converted.parse(await answer.json());
  expect(app).toMatchObject({
    slug: 'acme-docs-bot',
    owner,
    permissions: { metadata: 'read', ...manifest.default_permissions },
    events: manifest.default_events,
  });
  expect((await convert(code)).status).toBe(404);

  const installed = await post(`/github-apps/${app.slug}/installations/new`, { account: 'acme' });
  const installationId = Number(installed.headers.get('location')?.split('/').at(-1));
  const octokit = new Octokit({
    baseUrl: github.apiUrl,
    authStrategy: createAppAuth,
    auth: { appId: app.id, privateKey: app.pem, installationId },
  });
  expect((await octokit.rest.apps.listReposAccessibleToInstallation()).data.total_count).toBe(1);
  await github.deliveries.settled();
  expect(receiver.events()).toEqual(['installation.created']);
});

test('a registered App receives its subscribed events and no others', async () => {
  await using receiver = await createReceiver();
  await using fixture = await start();
  const { github } = fixture;
  const hook = { ...manifest, hook_attributes: { url: receiver.url } };
  const location = await github.createAppFromManifest(hook, { owner: 'mona', state: 's' });
  expect(new URL(location).searchParams.get('state')).toBe('s');
  github.install({ account: 'acme', repositories: ['docs'] });
  const mona = github.asPerson('mona');
  await mona.pushCommit('acme/docs', 'work', { 'a.md': 'a' }, 'a');
  await mona.openPullRequest('acme/docs', { title: 'a', head: 'work', base: 'main' });
  await mona.review('acme/docs', 1, { body: 'Nice' });
  mona.comment('acme/docs', 1, 'Hello');
  await github.deliveries.settled();
  expect(receiver.events()).toEqual(['installation.created', 'pull_request.opened', 'issue_comment.created']);
});

test.each([
  ['without a name', { name: '' }, 'name'],
  ['with a long name', { name: 'x'.repeat(35) }, 'name'],
  ['without a URL', { url: undefined }, 'url'],
  ['with a relative redirect', { redirect_url: '/setup' }, 'redirect_url'],
  ['with a redirect to a script', { redirect_url: 'javascript:alert(1)' }, 'redirect_url'],
  ['with a relative webhook', { hook_attributes: { url: '/hook' } }, 'hook_attributes.url'],
  ['with an unknown permission', { default_permissions: { 'pull-requests': 'write' } }, 'unsupported: pull-requests'],
  ['with an unknown level', { default_permissions: { contents: 'all' } }, 'default_permissions'],
  ['that reads workflows', { default_permissions: { workflows: 'read' } }, 'unsupported: workflows: read'],
  ['with an unknown event', { default_events: ['pull_requests'] }, 'unsupported: pull_requests'],
  ['with an event that every App receives', { default_events: ['installation'] }, 'every App receives it'],
  ['with an event that its permissions do not cover', { default_events: ['check_run'] }, 'unsupported: check_run'],
])('a manifest %s is refused on the page, at the button and by the handle', async (_name, change, problem) => {
  await using fixture = await start();
  const { github, post } = fixture;
  const bad = { ...manifest, ...change };
  for (const path of ['/settings/apps/new', '/settings/apps']) {
    const answer = await post(path, { manifest: JSON.stringify(bad), as: 'mona' });
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining(problem)]);
  }
  await expect(github.createAppFromManifest(bad, { owner: 'mona' })).rejects.toThrow(problem);
});

test('a code expires after an hour', async () => {
  let aheadMs = 0;
  await using fixture = await start({ clock: () => new Date(Date.now() + aheadMs) });
  const location = await fixture.github.createAppFromManifest(manifest, { owner: 'mona' });
  aheadMs = 61 * 60_000;
  expect((await fixture.convert(codeOf(location))).status).toBe(404);
  expect((await fixture.convert('nothing')).status).toBe(404);
});

test('another site cannot press the button, and a second App is refused', async () => {
  await using fixture = await start();
  const { post } = fixture;
  const fields = { manifest: JSON.stringify(manifest), as: 'mona' };
  expect((await post('/settings/apps', fields, { origin: 'http://127.0.0.1:3000' })).status).toBe(400);
  expect((await post('/organizations/nobody/settings/apps', fields)).status).toBe(404);
  expect((await post('/settings/apps', fields)).status).toBe(302);
  const again = await post('/settings/apps', fields);
  expect([again.status, await again.text()]).toEqual([422, expect.stringContaining('Name has already been taken')]);
  const other = await post('/settings/apps', { ...fields, name: 'Other' });
  expect([other.status, await other.text()]).toEqual([422, expect.stringContaining('serves one App')]);
});

test('a visitor without a manifest gets a form for one', async () => {
  await using fixture = await start();
  const page = await fetch(`${fixture.github.webUrl}/settings/apps/new?state=x`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('name="manifest"')]);
});

test("a private App is installed only on its owner's account, once, on the chosen repositories", async () => {
  await using fixture = await start();
  const { github, post } = fixture;
  await github.addRepository({ owner: 'acme', name: 'blog', files: { a: 'a' } });
  await github.addRepository({ owner: 'mona', name: 'notes', files: { a: 'a' } });
  const setupUrl = 'http://127.0.0.1:3000/installed';
  const form = { manifest: JSON.stringify({ ...manifest, public: false, setup_url: setupUrl }) };
  await post('/organizations/acme/settings/apps', form);
  const path = '/apps/acme-docs-bot/installations/new';
  expect(await (await fetch(`${github.webUrl}${path}`)).text()).not.toContain('<option>mona</option>');
  expect((await post(path, { account: 'mona' })).status).toBe(422);
  const installed = await post(path, { account: 'acme', repositories: 'acme/blog' });
  expect(installed.headers.get('location')).toMatch(
    /^http:\/\/127\.0\.0\.1:3000\/installed\?installation_id=\d+&setup_action=install$/,
  );
  expect(github.deliveries.log.at(-1)).toMatchObject({
    event: 'installation',
    payload: { installation: { repository_selection: 'selected' }, repositories: [{ name: 'blog' }] },
  });
  expect((await post(path, { account: 'acme' })).status).toBe(422);
  expect((await fetch(`${github.webUrl}/apps/other/installations/new`)).status).toBe(404);
});
