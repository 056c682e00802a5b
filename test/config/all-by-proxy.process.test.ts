// GitHub, the model server, git and the receivers of webhooks stand behind TLS with certificates of a private authority.
import { once } from 'node:events';
import { request as requestHttp } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { spawnService } from '../../harness/processes/spawn-service.ts';
import { createAuthority } from '../../harness/proxies/private-authority.ts';
import { startForwardProxy } from '../../harness/proxies/start-forward-proxy.ts';
import { edit, finish } from '../../harness/script-steps.ts';
import { startReceiver } from '../../harness/start-receiver.ts';
import { steps } from '../../local/model/script.ts';
import { createWorld } from '../support/worlds/world.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Answers by https for a server that listens on http. */
async function startTlsFront(tls: { key: string; cert: string }, target: string) {
  const { hostname, port } = new URL(target);
  const server = createServer(tls, (request, response) => {
    const { method = '', url = '', headers } = request;
    const on = requestHttp({ hostname, port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    on.on('error', () => response.destroy());
    request.pipe(on);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test.each([
  { name: 'by the proxy', noProxy: 'none.example' },
  { name: 'past it, where NO_PROXY names the host', noProxy: 'other.example, localhost' },
])('GitHub, git, the model and webhooks are reached $name, with a private authority', async ({ noProxy }) => {
  const script = steps([edit('limits.md', '60', '100'), finish('The limit is 100.', { title: 'Correct the limit' })]);
  await using world = await createWorld({ script });
  const authority = await createAuthority(join(world.directory, 'authority'));
  const tls = await authority.issue('github.test', 'model.test', '8.8.8.8', 'localhost');
  await using github = await startTlsFront(tls, world.github.webUrl);
  await using model = await startTlsFront(tls, world.model.url);
  await using receiver = await startReceiver({ tls });
  const ports = new Map([
    ['github.test:443', github.port],
    ['model.test:443', model.port],
    ['8.8.8.8:443', receiver.port],
  ]);
  await using proxy = await startForwardProxy((target) => {
    const port = ports.get(target);
    return port === undefined ? 403 : { port };
  });
  const isByProxy = noProxy === 'none.example';
  const at = (host: string, port: number) => (isByProxy ? `https://${host}` : `https://localhost:${port}`);
  const { pathname: api } = new URL(world.github.apiUrl);
  await using service = await spawnService(world, {
    environment: {
      GITHUB_URL: at('github.test', github.port),
      GITHUB_API_URL: `${at('github.test', github.port)}${api}`,
      OPENAI_BASE_URL: `${at('model.test', model.port)}${new URL(world.model.url).pathname}`,
      HTTPS_PROXY: proxy.url,
      NO_PROXY: noProxy,
      NODE_EXTRA_CA_CERTS: authority.certificateFile,
      WEBHOOK_ALLOWED_HOSTS: 'localhost',
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    },
  });
  const created = await fetch(`${service.url}/v2/agent/${world.projectId}/webhook`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${at('8.8.8.8', receiver.port)}/hook`, events: ['job.completed'] }),
  });
  expect(created.status).toBe(201);
  const { id } = await service.caller.create('Make it 100.');
  expect(await service.caller.settled(id)).toMatchObject({ status: 'completed', prLink: expect.any(String) });
  await eventually(() => receiver.posts.length > 0 || undefined, { what: 'the webhook arrives' });
  expect(new Set(proxy.asked)).toEqual(new Set(isByProxy ? [...ports.keys()].map((host) => `CONNECT ${host}`) : []));
  expect(world.github.requests.map(({ path }) => path)).toContain('/acme/docs.git/git-receive-pack');
});
