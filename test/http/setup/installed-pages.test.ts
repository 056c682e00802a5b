import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { AppKeyRefused } from '../../../src/github/refusals/errors.ts';
import { createInstalledPages } from '../../../src/http/setup/installed-pages.ts';
import { ask } from './browser.ts';

const app = { slug: 'acme-docs', name: 'Acme <Docs>' };

/** The pages as a service has them: what they leave is answered with 418. */
async function serve(fetchApp: (signal: AbortSignal) => Promise<typeof app>) {
  const pages = createInstalledPages({ fetchApp, webUrl: 'https://github.com' });
  const server = createServer((request, response) => {
    if (!pages(request, response)) response.writeHead(418).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

test.each([
  ['/setup', 'Acme &lt;Docs&gt; is set up'],
  ['/setup?token=used', 'Acme &lt;Docs&gt; is set up'],
  ['/setup/installed?installation_id=1&setup_action=install', 'Acme &lt;Docs&gt; is installed'],
])('%s shows the install link and the next steps', async (path, heading) => {
  const base = await serve(async () => app);
  const { status, body, headers } = await ask(`${base}${path}`);
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*form-action 'self';/);
  expect(body).toContain(`<h1>${heading}</h1>`);
  expect(body).toContain('href="https://github.com/apps/acme-docs/installations/new"');
});

test.each(['/', '/setups', '/v2/setup', '/openapi.json'])('%s is left to the next handler', async (path) => {
  const base = await serve(async () => app);
  expect((await ask(`${base}${path}`)).status).toBe(418);
});

test.each(['/setup/callback?code=a&state=b', '/setup/review'])('%s redirects to /setup', async (path) => {
  const base = await serve(async () => app);
  expect(await ask(`${base}${path}`)).toMatchObject({ status: 303, headers: { location: '/setup' } });
});

test('an unknown page answers 404', async () => {
  const base = await serve(async () => app);
  expect((await ask(`${base}/setup/else`)).status).toBe(404);
  expect((await ask(`${base}/setup`, { method: 'POST' })).status).toBe(404);
});

test('concurrent visitors share one request to GitHub, and an error is not cached', async () => {
  const answer = Promise.withResolvers<typeof app>();
  let asked = 0;
  const base = await serve(() => {
    asked += 1;
    return asked === 1 ? answer.promise : Promise.resolve(app);
  });
  const first = ask(`${base}/setup`);
  const second = ask(`${base}/setup`);
  await ask(`${base}/setup/else`);
  answer.reject(new Error('could not read the App'));
  expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([503, 503]);
  expect(asked).toBe(1);
  expect((await ask(`${base}/setup`)).status).toBe(200);
});

test('a refusal of the App by GitHub is shown with its reason', async () => {
  const refusal = 'could not read the App: GitHub answered 401 A JSON web token could not be decoded';
  const base = await serve(() => Promise.reject(new AppKeyRefused(refusal)));
  const { status, body } = await ask(`${base}/setup`);
  expect(status).toBe(503);
  expect(body).toContain('<h1>GitHub refuses the App</h1>');
  expect(body).toContain('GitHub answered 401 A JSON web token could not be decoded. Check APP_ID');
});
