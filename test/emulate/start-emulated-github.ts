import { once } from 'node:events';
import { createEmulator } from 'emulate';
import express from 'express';
import { createDeliveryRelay } from './create-delivery-relay.ts';
import { createProxy } from './create-proxy.ts';

export const appId = 4242;
export const webhookSecret = 'webhook-secret-of-emulate';
const tokenOf = (login: string) => `token-of-${login}`;
const permissions = { contents: 'write', issues: 'write', pull_requests: 'write', metadata: 'read' };

/** Somebody else's idea of GitHub (https://www.npmjs.com/package/emulate), with the thin proxy in front that `createProxy` describes. */
export async function startEmulatedGitHub({ directory, files }: { directory: string; files: Record<string, string> }) {
  await using cleanup = new AsyncDisposableStack();
  const app = express();
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.defer(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('could not listen on a TCP port');
  const webUrl = `http://127.0.0.1:${address.port}`;

  const emulator = await createEmulator({ service: 'github', port: 0, seed: seedOf(`${webUrl}/deliveries`) });
  cleanup.defer(() => emulator.close());
  // It listens on 127.0.0.1 and names itself localhost.
  const emulatedUrl = emulator.url.replace('localhost', '127.0.0.1');
  const privateKey = emulator.generatedSecrets.find(({ kind }) => kind === 'github.app_private_key')?.value;
  if (!privateKey) throw new Error('emulate made no key for the App');

  const relay = createDeliveryRelay({ secret: webhookSecret });
  const proxy = await createProxy({ directory, emulatedUrl, files });
  app.post('/deliveries', relay.handle);
  app.use(proxy.handle);
  const held = cleanup.move();
  return {
    webUrl,
    apiUrl: `${webUrl}/api/v3`,
    privateKey,
    /** What was asked, and who answered. */
    answered: proxy.answered,
    /** What emulate told the service. */
    delivered: relay.delivered,
    setWebhook: relay.setTarget,
    git: proxy.git,
    /** Asks emulate itself, in somebody's name. */
    async as(login: 'acme' | 'rita', method: string, path: string, body?: object): Promise<unknown> {
      const headers = { authorization: `Bearer ${tokenOf(login)}`, 'content-type': 'application/json' };
      const given = body ? { body: JSON.stringify(body) } : {};
      const response = await fetch(`${emulatedUrl}${path}`, { method, headers, ...given });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return response.status === 204 ? undefined : response.json();
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const seedOf = (webhookUrl: string) => ({
  tokens: Object.fromEntries(['acme', 'rita'].map((login) => [tokenOf(login), { login, scopes: ['repo'] }])),
  github: {
    users: [{ login: 'rita' }, { login: 'acme' }],
    repos: [{ owner: 'acme', name: 'docs', private: true }],
    apps: [
      {
        app_id: appId,
        slug: 'pagewright-test',
        name: 'Pagewright',
        permissions,
        events: ['issue_comment', 'pull_request'],
        webhook_url: webhookUrl,
        webhook_secret: webhookSecret,
        installations: [{ installation_id: 100, account: 'acme', repository_selection: 'all' }],
      },
    ],
  },
});
