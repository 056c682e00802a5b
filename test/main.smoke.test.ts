import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { glob, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPrivateKey } from '../harness/create-private-key.ts';
import { createBrowser, readRegistrationForm } from './http/setup/browser.ts';

const privateKey = createPrivateKey();

/** The first start of a service, with an embedded database. */
async function startFirstTime(environment: Record<string, string> = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-main-'));
  const dataDir = join(directory, 'data');
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [resolve('src/main.ts')], {
    cwd: directory,
    env: {
      ...{ PATH, HOME, DATA_DIR: dataDir, PORT: '0', APP_ID: '1', PRIVATE_KEY: privateKey },
      ...{ WEBHOOK_SECRET: 'sixteen-letters!', OPENAI_API_KEY: 'sk-1', OPENAI_MODEL: 'm' },
      ...{ GITHUB_API_URL: 'http://127.0.0.1:1', ...environment },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    printed += chunk;
  });
  return {
    child,
    dataDir,
    ended,
    output: ended.then(() => printed),
    /** The first log line that contains this text. */
    async logged(part: string): Promise<Record<string, unknown>> {
      for (;;) {
        const line = printed.split('\n').find((candidate) => candidate.includes(part) && candidate.endsWith('}'));
        if (line) return JSON.parse(line);
        if (child.exitCode !== null) throw new Error(`it ended before it logged ${part}:\n${printed}`);
        await delay(5);
      }
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
      await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s during the first start, even twice, leaves no incomplete database',
  async (signal) => {
    await using service = await startFirstTime();
    while ((await Array.fromAsync(glob('postgres-new-*', { cwd: service.dataDir }))).length === 0) await delay(5);
    service.child.kill(signal);
    service.child.kill(signal);
    expect(await service.ended).toEqual({ code: 0, signal: null });
    expect(await readdir(service.dataDir)).toEqual([]);
    const output = await service.output;
    expect(output.match(/pagewright is stopping/g)).toHaveLength(1);
    expect(output).not.toContain('could not');
  },
);

test('a port in use ends the start with one line that names the port, and stops the database', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => void taken.close());
  const address = taken.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  await using service = await startFirstTime({ PORT: String(port) });
  expect(await service.ended).toEqual({ code: 1, signal: null });
  const lines = (await service.output).trimEnd().split('\n');
  expect(lines).toEqual([expect.stringContaining(`could not listen on 127.0.0.1:${port}`)]);
  expect(await readdir(join(service.dataDir, 'postgres'))).not.toContain('postmaster.pid');
  // No worker ran before: a worker creates its folders at its start.
  expect(await readdir(service.dataDir)).toEqual(['postgres']);
});

const handedOut = {
  ...{ id: 4711, slug: 'acme-docs', name: 'Acme Docs', owner: { login: 'acme' } },
  ...{ html_url: 'https://github.com/apps/acme-docs', client_id: 'Iv1.1', client_secret: 'a-client-secret-of-github' },
  ...{ webhook_secret: 'a-webhook-secret-of-github', pem: privateKey },
};

/** A GitHub that answers one code once with a new App, and nothing else. */
async function startHandingOut(code: string) {
  let isLeft = true;
  const server = createHttpServer((request, response) => {
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

const withoutApp = { APP_ID: '', PRIVATE_KEY: '', WEBHOOK_SECRET: '' };
const notRegistered = 'the App is not registered yet: open the url to set pagewright up';

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

test('SIGTERM during the set-up ends the service with status 0 and stops the database', async () => {
  await using service = await startFirstTime(withoutApp);
  await service.logged(notRegistered);
  service.child.kill('SIGTERM');
  expect(await service.ended).toEqual({ code: 0, signal: null });
  await expect(readdir(service.dataDir)).rejects.toThrow('ENOENT');
});

test('a port in use ends the set-up with one line that names the port', async () => {
  await using first = await startFirstTime(withoutApp);
  const { port } = await first.logged(notRegistered);
  await using second = await startFirstTime({ ...withoutApp, PORT: String(port) });
  expect(await second.ended).toEqual({ code: 1, signal: null });
  expect((await second.output).trimEnd().split('\n')).toEqual([
    expect.stringContaining(`could not listen on 127.0.0.1:${port}`),
  ]);
});
