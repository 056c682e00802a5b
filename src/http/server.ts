import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createNodeMiddleware, Probot } from 'probot';
import type { Config } from '../config/config.ts';
import type { GitHubApp } from '../github/auth/app.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import type { Store } from '../store/store.ts';
import { createApi } from './api/server.ts';
import { isLoopbackRequest } from './is-loopback-request.ts';
import { listen } from './listen.ts';
import { createInstalledPages } from './setup/installed-pages.ts';
import { createApp, type Handler } from './webhooks/app.ts';
import { storeDelivery } from './webhooks/store-delivery.ts';
import { createWebhookDoor } from './webhooks/webhook-door.ts';

const drainMs = 5_000;

/** Serves everything that is asked for over HTTP. Returns its address; `/readyz` says no until `open` is called, and once it stops. */
export async function startHttpServer(
  {
    config,
    log,
    store,
    github,
    metrics,
    readMetrics,
  }: {
    config: Config;
    log: Log;
    store: Store;
    github: GitHubApp;
    metrics: Metrics;
    readMetrics: () => Promise<string>;
  },
  cleanup: AsyncDisposableStack,
): Promise<{ url: string; open: () => void }> {
  const { appId, privateKey, webhookSecret, apiUrl: baseUrl } = config.github;
  let isOpen = false;
  const api = createApi({
    store,
    config,
    log,
    isOpen: () => isOpen,
    metrics: {
      contentType: metrics.contentType,
      render: readMetrics,
      token: config.metricsToken,
      isLocal: isLoopbackRequest,
    },
    onRequest: metrics.onHttpRequest,
  });
  const handlers: Handler[] = [
    (request, response) => {
      api(request, response);
      return true;
    },
  ];
  // A worker is sent no webhooks and needs no secret; Probot would fall back to one that everybody knows.
  const secret = webhookSecret || randomUUID();
  const probot = new Probot({
    appId,
    privateKey,
    secret,
    baseUrl,
    log: log.child({ name: 'probot' }),
  });
  if (config.role !== 'worker') {
    const { fetchApp } = github;
    handlers.unshift(
      createWebhookDoor({ probot, secret, log }),
      createInstalledPages({ fetchApp, webUrl: config.github.webUrl }),
    );
  }
  const app = createApp({ storeDelivery: (event) => storeDelivery(store, event), handlers });
  const server = createServer(await createNodeMiddleware(app, { probot }));

  const { host } = config;
  const { port } = cleanup.use(await listen(server, { host, port: config.port, drainMs }));
  // The first to happen when it stops.
  cleanup.defer(() => {
    isOpen = false;
  });
  const open = () => {
    isOpen = true;
  };
  return { url: `http://${host}:${port}`, open };
}
