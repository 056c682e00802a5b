import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readAppFile } from '../../../src/config/app-file.ts';
import { appManifest } from '../../../src/config/app-manifest.ts';
import type { Examined } from '../../../src/health/examine.ts';
import { type ConvertManifest, setUp } from '../../../src/http/setup/set-up.ts';
import { createSetupSessions } from '../../../src/http/setup/setup-sessions.ts';
import { createLog } from '../../../src/log.ts';
import { createRedactor } from '../../../src/text/redact.ts';
import { ask, createBrowser, postedForm, readRegistrationForm } from './browser.ts';
import { convertedApp } from './registered-app.ts';

const examined: Examined[] = [
  { part: 'git', state: 'ok', detail: 'git version 2.47' },
  { part: 'model', state: 'broken', detail: 'no <model> at 10.0.0.7', todo: 'Check OPENAI_BASE_URL.' },
];
const good: ConvertManifest = async () => convertedApp;
let dataDir: string;

beforeEach(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-setup-'));
  dataDir = join(directory, 'data');
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
});

/** A set-up that is under way; `base` is where it listens, on whichever port was free. */
async function begin({
  publicUrl = null,
  githubUrl = 'https://github.com',
  convertManifest = good,
}: {
  publicUrl?: string | null;
  githubUrl?: string;
  convertManifest?: ConvertManifest;
} = {}) {
  const stopping = new AbortController();
  const lines: string[] = [];
  const redactor = createRedactor();
  const logged = Promise.withResolvers<{ url: string }>();
  const write = (line: string) => {
    lines.push(line);
    if (line.includes('"url"')) logged.resolve(JSON.parse(line));
  };
  const settings = { host: '127.0.0.1', port: 0, dataDir, github: { apiUrl: 'unused', webUrl: githubUrl } };
  const ended = setUp({
    settings,
    publicUrl,
    convertManifest,
    hideSecret: redactor.hide,
    examine: async () => examined,
    log: createLog({ level: 'debug', redact: redactor.redact, destination: { write } }),
    signal: stopping.signal,
  });
  const outcome = ended.catch((error: unknown) => ({ error }));
  onTestFinished(async () => {
    stopping.abort(new Error('the test is over'));
    const registered = await outcome;
    if (!('error' in registered)) await registered.listener[Symbol.asyncDispose]();
  });
  const token = new URL((await logged.promise).url).searchParams.get('token') ?? '';
  const { port } = JSON.parse(lines.find((line) => line.includes('"port"')) ?? '{}');
  const { redact } = redactor;
  const base = `http://127.0.0.1:${port}`;
  /** Opens the link of the log in a browser. */
  const enter = async (headers: Record<string, string> = {}) => {
    const browser = createBrowser(base, headers);
    await browser.post('/setup', `token=${token}`);
    return browser;
  };
  return { base, port, token, enter, lines, redact, stopping, ended, outcome };
}

/** The browser that opened the link of the log. */
const enterSetup = async (options?: Parameters<typeof begin>[0]) => (await begin(options)).enter();

/** What a proxy on the same machine adds. */
const proxied = { 'X-Forwarded-For': '203.0.113.9' };
const review = '/setup/review?owner=account&name=Acme+Docs';

/** Goes as far as the form that is sent to GitHub, and returns the way back from there. */
async function register(browser: ReturnType<typeof createBrowser>, code = 'a-code') {
  const { action } = readRegistrationForm(await browser.open(review));
  return `/setup/callback?code=${code}&state=${action.searchParams.get('state')}`;
}

describe('access', () => {
  test.each<[string, Record<string, string>, string | null]>([
    ['on this machine', {}, null],
    ['on this machine, with a PUBLIC_URL of this machine', {}, 'http://localhost:3000'],
    ['through a proxy that adds nothing', { Connection: 'keep-alive' }, null],
    ['under a foreign name', { Host: 'rebound.example.com' }, null],
    ['with X-Forwarded-For', { 'X-Forwarded-For': '127.0.0.1' }, null],
    ['with X-Forwarded-Host', { 'X-Forwarded-Host': 'localhost' }, null],
    ['with Forwarded', { Forwarded: 'for=127.0.0.1' }, null],
    ['with X-Real-IP', { 'X-Real-IP': '127.0.0.1' }, null],
    ['with Via', { Via: '1.1 proxy' }, null],
    ['where PUBLIC_URL leads to a proxy', {}, 'https://pagewright.example.com'],
  ])('promise 7: a request %s needs the token', async (_how, headers, publicUrl) => {
    const { base, token } = await begin({ publicUrl });
    const open = (path: string) => ask(`${base}${path}`, { headers });
    const paths = ['/setup', '/setup?token=', '/setup?token=wrong', `/setup?token=${token}&token=${token}`, review];
    for (const path of paths) {
      const { status, body, headers: answered } = await open(path);
      expect([path, status, answered['set-cookie']]).toEqual([path, 403, undefined]);
      expect(body).toContain('token=…');
    }
  });

  test('the token is exchanged for a cookie once, and removed from the URL', async () => {
    const { base, token } = await begin();
    const browser = createBrowser(base, proxied);
    const asked = await browser.open(`/setup?token=${token}`);
    expect(asked.body).toContain(
      `<form action="/setup" method="post">\n<input type="hidden" name="token" value="${token}">`,
    );
    const traded = await browser.post('/setup', `token=${token}`);
    expect([traded.status, traded.headers.location]).toEqual([303, '/setup']);
    expect(traded.headers['set-cookie']).toEqual([
      expect.stringMatching(/^pagewright_setup=[\w-]{43}; Path=\/setup; HttpOnly; SameSite=Lax$/),
    ]);
    expect((await browser.open('/setup')).status).toBe(200);
    expect((await browser.open(`/setup?token=${token}`)).status).toBe(200);
    const another = createBrowser(base, proxied);
    expect((await another.open(`/setup?token=${token}`)).status).toBe(403);
    expect((await another.post('/setup', `token=${token}`)).status).toBe(403);
    expect((await another.open('/setup')).status).toBe(403);
  });

  test('a link preview does not use up the token', async () => {
    const { base, token } = await begin();
    for (const method of ['HEAD', 'GET', 'GET']) {
      const seen = await ask(`${base}/setup?token=${token}`, { method, headers: proxied });
      expect([seen.status, seen.headers['set-cookie']]).toEqual([200, undefined]);
    }
    expect((await createBrowser(base, proxied).post('/setup', `token=${token}`)).status).toBe(303);
  });

  test('a body that is no form of ours needs the token, too', async () => {
    const { base } = await begin();
    const bodies = ['', 'token=', 'token=a&token=b', `token=${'x'.repeat(2_000)}`];
    for (const body of bodies) expect((await ask(`${base}/setup`, postedForm(body))).status).toBe(403);
  });

  test('behind https the cookie is Secure', async () => {
    const { base, token } = await begin({ publicUrl: 'https://pagewright.example.com' });
    const { headers } = await ask(`${base}/setup`, postedForm(`token=${token}`));
    expect(headers['set-cookie']).toEqual([expect.stringMatching(/; Secure/)]);
  });

  test.each([
    ['no-cors', 403, 403],
    ['cors', 403, 403],
    ['navigate', 200, 200],
  ])('a cross-site request with mode %s gets %i with the token, and %i with the cookie', async (mode, first, later) => {
    const { base, token } = await begin();
    const strange = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': mode };
    const link = `${base}/setup?token=${token}`;
    const tried = await ask(link, { headers: strange });
    expect(tried.status).toBe(first);
    const entered = await ask(`${base}/setup`, postedForm(`token=${token}`));
    expect(entered.status).toBe(303);
    const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? '';
    expect((await ask(`${base}${review}`, { headers: { ...strange, cookie } })).status).toBe(later);
  });

  test('a made-up cookie gives no access', async () => {
    const { base } = await begin();
    const headers = { ...proxied, cookie: `pagewright_setup=${'A'.repeat(43)}` };
    expect((await ask(`${base}/setup`, { headers })).status).toBe(403);
  });

  test('the token is in the log once', async () => {
    const { base, token, lines } = await begin({
      convertManifest: async (code) => Promise.reject(new Error(`refused ${code}`)),
    });
    const browser = createBrowser(base);
    await browser.post('/setup', `token=${token}`);
    await browser.open(await register(browser, token));
    expect(lines.join('').split(token)).toHaveLength(2);
  });
});

describe('every page', () => {
  test('forbids caching, framing and scripts, and limits forms to this service and GitHub', async () => {
    const { base } = await begin({ githubUrl: 'https://git.acme.test' });
    for (const path of ['/setup', review, '/setup/callback']) {
      const { headers, body } = await ask(`${base}${path}`);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['referrer-policy']).toBe('strict-origin');
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none';style-src 'sha256-[\w+/=]+';form-action 'self' https:\/\/git\.acme\.test;base-uri 'none';frame-ancestors 'none'$/,
      );
      expect(body).not.toMatch(/<script|\son\w+=|javascript:/i);
      expect(body).toMatch(/^<!doctype html>\n<html lang="en">/);
    }
  });

  test('leads people to /setup, and then says that the service starts', async () => {
    const { base, enter, ended } = await begin();
    const look = (path: string) => ask(`${base}${path}`, { headers: { accept: 'text/html,*/*' } });
    expect(await look('/')).toMatchObject({ status: 303, headers: { location: '/setup' } });
    expect(await look('/projects')).toMatchObject({ status: 303, headers: { location: '/setup' } });
    const browser = await enter();
    await browser.open(await register(browser));
    await ended;
    for (const path of ['/', '/projects', '/setup', '/setup/installed?installation_id=1']) {
      const { status, headers, body } = await look(path);
      expect([status, headers.refresh]).toEqual([503, '1']);
      expect(body).toContain('<h1>Pagewright is starting</h1>');
    }
    const posted = await ask(`${base}/api/github/webhooks`, { method: 'POST' });
    expect([posted.status, posted.body]).toEqual([503, expect.stringContaining('Pagewright is starting.')]);
    expect((await look('/livez')).status).toBe(200);
  });

  test('other than the setup is a problem that names /setup', async () => {
    const { base } = await begin();
    expect(await ask(`${base}/livez`)).toMatchObject({ status: 200, body: '{"status":"ok"}' });
    const asked = [
      ask(`${base}/readyz`),
      ask(`${base}/`),
      ask(`${base}/%E0`),
      ask(`${base}/v2/agent/prj_1/job`, { method: 'POST' }),
      ask(`${base}/api/github/webhooks`, { method: 'POST' }),
      ask(`${base}/setup`, { method: 'POST' }),
    ];
    for (const { status, headers, body } of await Promise.all(asked)) {
      expect([status, headers['content-type']]).toEqual([503, 'application/problem+json; charset=utf-8']);
      expect(JSON.parse(body)).toMatchObject({ status: 503, detail: 'Pagewright is not set up yet: open /setup.' });
    }
  });
});

describe('the doctor', () => {
  test('shows the operator what is broken, and how to fix it', async () => {
    const { enter } = await begin();
    const { body } = await (await enter()).open('/setup');
    expect(body).toContain('One finding needs your attention.');
    expect(body).toMatch(
      /<span class="state broken">broken<\/span> <strong>Model server<\/strong><p>no &lt;model&gt; at 10\.0\.0\.7<\/p>/,
    );
    expect(body).toMatch(/Check OPENAI_BASE_URL\.[\s\S]*1 check passed[\s\S]*git version 2\.47/);
  });

  test('promise 7: shows nothing to others', async () => {
    const { base } = await begin();
    for (const path of ['/setup', '/setup?token=wrong', '/setup/review']) {
      expect((await ask(`${base}${path}`)).body).not.toMatch(/OPENAI_BASE_URL|git version|Doctor/);
    }
  });

  test('sees through the proxy that this service answers', async () => {
    const { base, port } = await begin();
    expect((await ask(`${base}/livez/stream`)).body).toContain(`data: {"host":"127.0.0.1:${port}","scheme":"http"}`);
  });
});

describe('the form that goes to GitHub', () => {
  test('has the content of app.yml, with this service’s URLs', async () => {
    const browser = await enterSetup({ publicUrl: 'https://pagewright.example.org' });
    const { action, manifest } = readRegistrationForm(await browser.open(review));
    expect(action.origin + action.pathname).toBe('https://github.com/settings/apps/new');
    expect(action.searchParams.get('state')).toMatch(/^[\w-]{43}$/);
    expect(manifest).toEqual({
      ...appManifest,
      name: 'Acme Docs',
      url: 'https://pagewright.example.org',
      hook_attributes: { url: 'https://pagewright.example.org/api/github/webhooks', active: true },
      redirect_url: 'https://pagewright.example.org/setup/callback',
      callback_urls: ['https://pagewright.example.org/auth/callback'],
      setup_url: 'https://pagewright.example.org/setup/installed',
    });
    expect(manifest.default_permissions).toMatchObject({ contents: 'write', issues: 'write' });
  });

  test('is the second of two steps, and says of each permission why the App needs it', async () => {
    const browser = await enterSetup();
    const first = await browser.open('/setup');
    expect(first.body).toContain('<li aria-current="step">Owner and name</li><li>Register on GitHub</li>');
    const { body } = await browser.open(review);
    expect(body).toContain('<li>Owner and name</li><li aria-current="step">Register on GitHub</li>');
    const rows = body.match(
      /<tr><th scope="row">[A-Z][a-z ]+<\/th><td>read( and write)?<\/td><td>[^<]{20,}<\/td><\/tr>/g,
    );
    expect(rows).toHaveLength(Object.keys(appManifest.default_permissions).length);
  });

  test('says to sign in first, because a login loses the form', async () => {
    const browser = await enterSetup({ githubUrl: 'https://git.acme.test' });
    expect((await browser.open(review)).body).toContain('Sign in to git.acme.test in this browser first');
  });

  test('redirects to the host name of the browser, which its cookie is bound to', async () => {
    const { enter, port } = await begin();
    const browser = await enter({ Host: `localhost:${port}` });
    const { manifest } = readRegistrationForm(await browser.open(review));
    expect(manifest.redirect_url).toBe(`http://localhost:${port}/setup/callback`);
  });

  test('goes to an organization of an Enterprise Server', async () => {
    const browser = await enterSetup({ githubUrl: 'https://git.acme.test' });
    const { action } = readRegistrationForm(
      await browser.open('/setup/review?owner=organization&organization=acme-docs&name=x'),
    );
    expect(action.origin + action.pathname).toBe('https://git.acme.test/organizations/acme-docs/settings/apps/new');
  });

  test.each([
    '"><script>alert(1)</script>',
    "'/onmouseover='alert(1)",
    '../../settings/apps',
    'acme/../evil',
    '-acme',
    'a'.repeat(40),
    '',
  ])('is not shown for an organization named %j, which is escaped', async (name) => {
    const browser = await enterSetup();
    const query = new URLSearchParams({ owner: 'organization', organization: name, name: 'x' });
    const { status, body } = await browser.open(`/setup/review?${query}`);
    expect(status).toBe(400);
    expect(body).toContain('Enter the organization’s login');
    expect(body).not.toMatch(/<script|'\/onmouseover|method="post"/);
  });

  test('escapes a hostile App name', async () => {
    const browser = await enterSetup();
    const name = `"><img src=x>'&`;
    const answer = await browser.open(`/setup/review?${new URLSearchParams({ owner: 'account', name })}`);
    expect(answer.body).not.toContain('<img');
    expect(readRegistrationForm(answer).manifest.name).toBe(name);
    for (const wrong of ['', 'a'.repeat(35), 'a\nb']) {
      expect((await browser.open(`/setup/review?${new URLSearchParams({ name: wrong })}`)).status).toBe(400);
    }
  });

  test.each<[string | null, string, boolean]>([
    [null, 'https://github.com', true],
    ['http://localhost:3000', 'https://github.com', true],
    ['https://pagewright.example.com', 'https://github.com', false],
    [null, 'https://git.acme.test', false],
  ])('with PUBLIC_URL %s warns on %s that webhooks cannot arrive: %s', async (publicUrl, githubUrl, warns) => {
    const browser = await enterSetup({ publicUrl, githubUrl });
    for (const path of ['/setup', review]) {
      const { status, body } = await browser.open(path);
      expect([status, body.includes('GitHub cannot reach this service')]).toEqual([200, warns]);
    }
  });
});

describe('the redirect from GitHub', () => {
  test('stores the credentials readable only by their owner, and shows the next steps', async () => {
    const { enter, base, port, ended, lines, redact } = await begin();
    const browser = await enter();
    const { status, body } = await browser.open(await register(browser));
    expect(status).toBe(200);
    expect(body).toContain('href="https://github.com/apps/acme-docs/installations/new"');
    expect(body).toContain('npx pagewright keys create OWNER/REPO --name ci');
    const app = { ...convertedApp, githubUrl: 'https://github.com' };
    const registered = await ended;
    expect(registered).toMatchObject({ app, listener: { port } });
    expect(await readdir(dataDir)).toEqual(['app.json']);
    expect((await stat(join(dataDir, 'app.json'))).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(join(dataDir, 'app.json'), 'utf8'))).toEqual(app);
    const { privateKey, webhookSecret, clientSecret } = convertedApp;
    for (const secret of [privateKey, webhookSecret ?? '', clientSecret]) {
      expect(body + lines.join('')).not.toContain(secret);
      expect(redact(`a line with ${secret}`)).toBe('a line with [secret]');
    }
    registered.listener.serve((_request, response) => void response.end('the service'));
    expect((await ask(`${base}/livez`)).body).toBe('the service');
    await registered.listener[Symbol.asyncDispose]();
    await expect(ask(`${base}/livez`)).rejects.toThrow('ECONNREFUSED');
  });

  test.each<[string, (way: string) => string]>([
    ['without a state', (way) => way.replace(/&state=.*/, '')],
    ['with a wrong state', (way) => way.replace(/state=.*/, `state=${'A'.repeat(43)}`)],
    ['with two states', (way) => way.replace(/(&state=.*)/, '$1$1')],
    ['without a code', (way) => way.replace(/code=[^&]*/, '')],
    ['with a code that is a path', (way) => way.replace(/code=[^&]*/, 'code=..%2Fapp')],
  ])('%s is refused', async (_how, change) => {
    const browser = await enterSetup();
    const way = await register(browser);
    expect((await browser.open(change(way))).status).toBe(400);
    await expect(readdir(dataDir)).rejects.toThrow('ENOENT');
    expect((await browser.open(way)).status).toBe(200);
  });

  test('works only in the browser that started', async () => {
    const { enter, base } = await begin();
    const way = await register(await enter());
    expect((await ask(`${base}${way}`)).status).toBe(400);
    const another = createBrowser(base);
    await another.open('/setup');
    expect((await another.open(way)).status).toBe(400);
    await expect(readdir(dataDir)).rejects.toThrow('ENOENT');
  });

  test('works for an hour', () => {
    let time = 0;
    const sessions = createSetupSessions({ now: () => time });
    const session = sessions.begin();
    const early = sessions.issueState(session);
    time = 60 * 60_000;
    expect(sessions.takeState(session, early)).toBe(false);
    const late = sessions.issueState(session);
    time += 60 * 60_000 - 1;
    expect(sessions.takeState(session, late)).toBe(true);
  });

  test('with an expired code offers to start over', async () => {
    const browser = await enterSetup({ convertManifest: async () => undefined });
    const way = await register(browser);
    expect(await browser.open(way)).toMatchObject({ status: 410, body: expect.stringContaining('Start over') });
    expect((await browser.open(way)).status).toBe(400);
    expect((await browser.open('/setup')).status).toBe(200);
  });

  test('with the same code twice at once sends one request to GitHub', async () => {
    const answering = Promise.withResolvers<void>();
    let asked = 0;
    const browser = await enterSetup({
      convertManifest: async () => {
        asked += 1;
        await answering.promise;
        return convertedApp;
      },
    });
    const way = await register(browser);
    const first = browser.open(way);
    const second = browser.open(way);
    const quick = await Promise.race([first, second]);
    answering.resolve();
    const statuses = (await Promise.all([first, second])).map(({ status }) => status).sort();
    expect([quick.status, statuses, asked]).toEqual([400, [200, 400], 1]);
  });

  test('can be retried if GitHub does not answer', async () => {
    let isAway = true;
    const { enter, lines, ended } = await begin({
      convertManifest: async () => {
        if (isAway) throw new Error('no clear answer', { cause: new Error('ECONNREFUSED') });
        return convertedApp;
      },
    });
    const browser = await enter();
    const way = await register(browser);
    expect(await browser.open(way)).toMatchObject({ status: 502, body: expect.stringContaining('Nothing is lost') });
    expect(lines.join('')).toContain('ECONNREFUSED');
    isAway = false;
    expect((await browser.open(way)).status).toBe(200);
    expect((await ended).app.appId).toBe(convertedApp.appId);
  });

  test('keeps credentials that could not be stored for a retry', async () => {
    let asked = 0;
    const { enter } = await begin({
      convertManifest: async () => {
        asked += 1;
        return asked === 1 ? convertedApp : undefined;
      },
    });
    await writeFile(dataDir, 'a file where the folder should be');
    const browser = await enter();
    const way = await register(browser);
    expect((await browser.open(way)).status).toBe(500);
    await rm(dataDir);
    expect((await browser.open(way)).status).toBe(200);
    expect(readAppFile(dataDir, 'https://github.com')).toMatchObject({ kind: 'found', app: { appId: 4711 } });
    expect(asked).toBe(1);
  });

  test.each([
    ['no webhook secret', { webhookSecret: null }],
    ['a short webhook secret', { webhookSecret: 'short' }],
    ['half a private key', { privateKey: convertedApp.privateKey.slice(0, 200) }],
  ])('with %s stores nothing', async (_what, lack) => {
    const browser = await enterSetup({ convertManifest: async () => ({ ...convertedApp, ...lack }) });
    expect((await browser.open(await register(browser))).status).toBe(502);
    await expect(readdir(dataDir)).rejects.toThrow('ENOENT');
  });

  test('escapes a hostile owner name', async () => {
    const browser = await enterSetup({
      convertManifest: async () => ({ ...convertedApp, owner: '<script>x</script>' }),
    });
    const { body } = await browser.open(await register(browser));
    expect(body).toContain('&lt;script&gt;');
    expect(body).not.toContain('<script');
  });
});

test('an abort ends the setup with its reason and frees the port', async () => {
  const { base, stopping, outcome } = await begin();
  const reason = new Error('stopped by SIGTERM');
  stopping.abort(reason);
  expect(await outcome).toEqual({ error: reason });
  await expect(ask(`${base}/livez`)).rejects.toThrow('ECONNREFUSED');
});

test('stored credentials are refused if others can read them, if they are broken, and for another GitHub', async () => {
  const { enter } = await begin();
  const browser = await enter();
  await browser.open(await register(browser));
  const path = join(dataDir, 'app.json');
  const read = () => readAppFile(dataDir, 'https://github.com');
  expect(readAppFile(dataDir, 'https://git.acme.test')).toMatchObject({ kind: 'broken' });
  await chmod(path, 0o640);
  expect(read()).toEqual({ kind: 'broken', problem: expect.stringContaining(`chmod 600 ${path}`) });
  await chmod(path, 0o600);
  expect(read()).toMatchObject({ kind: 'found' });
  await writeFile(path, '{"appId":1');
  expect(read()).toEqual({ kind: 'broken', problem: expect.stringContaining('is damaged') });
  await rm(path);
  expect(read()).toEqual({ kind: 'missing' });
});
