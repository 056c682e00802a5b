// A proxy of one's own between the commands and the internet: none of the hosts can be reached without it.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPrivateKey } from '../../harness/create-private-key.ts';
import { readProxies } from '../../src/config/network.ts';
import { createGitEnvironment } from '../../src/git/git-environment.ts';

/** Answers itself what it is asked to forward, also through a tunnel, and refuses tunnels for TLS. */
async function startProxy() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'application/json').end('{"data":[{"id":"m"}]}');
  });
  server.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    if (request.url?.endsWith(':443')) return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    server.emit('connection', socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return { asked, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` };
}

const run = (program: string, args: string[], options: object) =>
  new Promise<string>((done) => {
    execFile(program, args, options, (_error, stdout, stderr) => done(stdout + stderr));
  });

test('GitHub and the model are asked by the proxy that .env names', async () => {
  const proxy = await startProxy();
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-proxy-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const lines = [`HTTP_PROXY=${proxy.url}`, `HTTPS_PROXY=${proxy.url}`, 'NO_PROXY=none.example'];
  await writeFile(join(directory, '.env'), lines.join('\n'));
  const env = {
    PATH: process.env.PATH,
    APP_ID: '1',
    PRIVATE_KEY: createPrivateKey(),
    WEBHOOK_SECRET: 'sixteen-letters!',
    GITHUB_API_URL: 'http://api.localhost:8099',
    GITHUB_URL: 'http://localhost:8099',
    OPENAI_BASE_URL: 'https://model.example/v1',
    OPENAI_API_KEY: 'sk-1',
    OPENAI_MODEL: 'm',
  };
  const printed = await run(process.execPath, [resolve('src/pagewright.ts'), 'doctor'], { cwd: directory, env });
  const asked = ['CONNECT api.localhost:8099', 'GET /', 'GET /app', 'CONNECT model.example:443'];
  expect(proxy.asked).toEqual(expect.arrayContaining(asked));
  expect(printed).toContain(`requests leave by the proxy ${new URL(proxy.url).host}`);
  expect(printed).toMatch(/^ok +clock /m);
});

test('git takes the proxy, and trusts the same certificates', async () => {
  const proxy = await startProxy();
  const network = { HTTP_PROXY: proxy.url, NO_PROXY: 'none.example', NODE_EXTRA_CA_CERTS: '/etc/ca.pem' };
  const environment = createGitEnvironment({ allowHttp: true, path: process.env.PATH ?? '', network });
  expect(environment.GIT_SSL_CAINFO).toBe('/etc/ca.pem');
  await run('git', ['ls-remote', 'http://git.localhost:1/acme/docs.git'], { env: environment });
  expect(proxy.asked[0]).toMatch(/^GET http:\/\/git\.localhost:1\/acme\/docs\.git\/info\/refs/);
});

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['nothing is set', { NO_PROXY: 'x' }, {}],
  [
    'names in lower case count more',
    { https_proxy: 'http://a', HTTPS_PROXY: 'http://b' },
    { https_proxy: 'http://a', no_proxy: 'localhost,127.0.0.1,::1' },
  ],
  ['NO_PROXY is kept', { HTTP_PROXY: 'http://a', NO_PROXY: 'inner' }, { http_proxy: 'http://a', no_proxy: 'inner' }],
])('%s', (_name, environment, expected) => {
  expect(readProxies(environment)).toEqual(expected);
});
