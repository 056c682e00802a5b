import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { createBrowser, readRegistrationForm } from './http/setup/browser.ts';
import { notRegistered, startFirstTime, withoutApp } from './support/run/start-first-time.ts';

const privateKey = inject('privateKey');

const handedOut = {
  id: 4711,
  slug: 'acme-docs',
  name: 'Acme Docs',
  owner: { login: 'acme' },
  html_url: 'https://github.com/apps/acme-docs',
  client_id: 'Iv1.1',
  client_secret: 'a-client-secret-of-github',
  webhook_secret: 'a-webhook-secret-of-github',
  pem: privateKey,
};

/** A GitHub that answers one code once with a new App, and nothing else. */
async function startHandingOut(code: string) {
  let isLeft = true;
  const server = createServer((request, response) => {
    const isAskedFor = request.method === 'POST' && request.url === `/app-manifests/${code}/conversions`;
    const answer = isAskedFor && isLeft ? { status: 201, body: handedOut } : { status: 404, body: { message: 'none' } };
    if (isAskedFor) isLeft = false;
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test('a service without an App is set up in the browser and then listens on the same port', async () => {
  await using github = await startHandingOut('the-code');
  const environment = { ...withoutApp, GITHUB_API_URL: github.url, GITHUB_URL: github.url };
  await using service = await startFirstTime(environment);
  const { url } = await service.logged(notRegistered);
  const { origin, pathname, searchParams } = new URL(String(url));
  expect([pathname, searchParams.get('token')]).toEqual(['/setup', expect.stringMatching(/^[\w-]{43}$/)]);
  expect((await fetch(`${origin}/readyz`)).status).toBe(503);
  const browser = createBrowser(origin);
  await browser.open(`/setup?${searchParams}`);
  await browser.post('/setup', `${searchParams}`);
  const { action, manifest } = readRegistrationForm(await browser.open('/setup/review?owner=account&name=Acme+Docs'));
  expect(action.origin).toBe(github.url);
  expect(manifest.redirect_url).toBe(`${origin}/setup/callback`);
  const done = await browser.open(`/setup/callback?code=the-code&state=${action.searchParams.get('state')}`);
  expect([done.status, done.body]).toEqual([200, expect.stringContaining('Acme Docs is registered')]);

  expect(await service.logged('pagewright is ready')).toMatchObject({ url: origin });
  expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  expect((await stat(join(service.dataDir, 'app.json'))).mode & 0o777).toBe(0o600);
  const deliver = (secret: string) => {
    const body = '{"zen":"Keep it logically awesome."}';
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    const headers = { 'x-github-event': 'ping', 'x-github-delivery': 'd-1', 'x-hub-signature-256': signature };
    return fetch(`${origin}${new URL(manifest.hook_attributes.url).pathname}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
  };
  expect((await deliver(handedOut.webhook_secret)).ok).toBe(true);
  expect((await deliver('another-webhook-secret')).ok).toBe(false);

  service.child.kill('SIGTERM');
  expect(await service.ended).toEqual({ code: 0, signal: null });
  const output = await service.output;
  const token = searchParams.get('token') ?? '';
  expect(output.split(token)).toHaveLength(2);
  const lines = privateKey.split('\n').filter((line) => line.length > 40);
  for (const secret of [handedOut.webhook_secret, handedOut.client_secret, ...lines]) {
    expect(output).not.toContain(secret);
  }
});
