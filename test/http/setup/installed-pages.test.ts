import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { InstallationState, Missing } from '../../../src/github/auth/describe-installations.ts';
import { AppKeyRefused } from '../../../src/github/refusals/errors.ts';
import { createInstalledPages } from '../../../src/http/setup/installed-pages.ts';
import { ask } from './browser.ts';

const app = { slug: 'acme-docs', name: 'Acme <Docs>' };

const nothing = { permissions: [], events: [] };
interface Described {
  installations: InstallationState[];
  missing: Missing;
  isLocal: boolean;
}

/** The pages as a service has them: what they leave is answered with 418. */
async function serve(
  fetchApp: (signal: AbortSignal) => Promise<typeof app>,
  { installations = [], missing = nothing, isLocal = false }: Partial<Described> = {},
) {
  const url = 'https://github.com/settings/apps/acme-docs/permissions';
  const pages = createInstalledPages({
    fetchApp,
    describeInstallations: async () => ({ app: { missing, url }, installations }),
    examine: async () => [
      { part: 'git', state: 'ok', detail: 'git version 2.47' },
      { part: 'model', state: 'broken', detail: 'no <model>', todo: 'Check it.' },
    ],
    isLocal: () => isLocal,
    webUrl: 'https://github.com',
  });
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

const settings = (id: number) => `https://github.com/organizations/acme/settings/installations/${id}`;
const suspended = { account: 'acme', url: settings(1), isSuspended: true, missing: nothing };
const old = {
  account: 'umbrella',
  url: settings(2),
  isSuspended: false,
  missing: { permissions: ['issues=write'], events: ['push', 'repository'] },
};
const fine = { account: 'fine', url: settings(3), isSuspended: false, missing: nothing };

test('on the machine of the service, /setup says what each installation lacks and where to grant it', async () => {
  const installations = [suspended, old, fine];
  const base = await serve(async () => app, { installations, isLocal: true });
  const { body } = await ask(`${base}/setup`);
  expect(body).toContain('The App is installed on 3 accounts. 2 of them need attention.');
  expect(body).toContain(`<h3>acme</h3>\n<p>Suspended: its jobs wait. Unsuspend it in <a href="${settings(1)}">`);
  expect(body).toContain('Not given: Issues (read and write), the events push, repository.');
  expect(body).toContain(`<a href="${settings(2)}">`);
  expect(body).not.toContain('fine');
});

test('what the App itself was not given is said before its installations', async () => {
  const missing = { permissions: ['contents=write'], events: [] };
  const base = await serve(async () => app, { missing, isLocal: true });
  const { body } = await ask(`${base}/setup`);
  expect(body).toContain('The App was not given Contents (read and write).');
  expect(body).toContain('href="https://github.com/settings/apps/acme-docs/permissions"');
});

test('on the machine of the service, /setup shows what the doctor finds', async () => {
  const base = await serve(async () => app, { isLocal: true });
  const { body } = await ask(`${base}/setup`);
  expect(body).toContain('One finding needs your attention.');
  expect(body).toMatch(/<strong>Model server<\/strong><p>no &lt;model&gt;<\/p><p>Check it\.<\/p>/);
});

test('promise 12: others do not learn on which accounts the App is installed', async () => {
  const base = await serve(async () => app, { installations: [suspended, old] });
  const { body } = await ask(`${base}/setup`);
  expect(body).not.toMatch(/acme<|umbrella|Suspended|accounts|git version|Check it/);
  expect(body).toContain('the command <code>pagewright doctor</code>');
});
