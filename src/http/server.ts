import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ApplicationFunction, createNodeMiddleware, Probot } from 'probot';
import type { Config } from '../config/config.ts';
import { formatLocalUrl } from '../config/urls.ts';
import { events } from '../deliveries/events.ts';
import { storeDelivery } from '../deliveries/store-delivery.ts';
import { createEventFeed } from '../job-feed/event-feed.ts';
import { createProjectFeed } from '../job-feed/project-feed.ts';
import type { Notifications } from '../store/postgres/notifications.ts';
import { runFor, type Threads } from '../threads/threads.ts';
import type { Timing } from '../timing.ts';
import { toEventResource } from './api/events/event-resource.ts';
import type { RequestReport } from './api/requests/watch-requests.ts';
import { createApi } from './api/server.ts';
import { createBodyBudget } from './bodies/body-budget.ts';
import { createReadBody } from './bodies/read-body.ts';
import { createDashboard } from './dashboard/create-dashboard.ts';
import type { AppParts, ServiceParts, SharedParts } from './dashboard/dashboard-parts.ts';
import { createLocalCheck } from './is-loopback-request.ts';
import { type Listener, openListener } from './open-listener.ts';
import { createInstalledPages } from './setup/installed-pages.ts';
import { createOpenStreams } from './streams/open-streams.ts';
import { createSendEvents, type SendEvents } from './streams/send-events.ts';
import { createWebhookReceiver } from './webhooks/webhook-receiver.ts';

/** Answers a request and returns true, or returns false for the next handler. */
type Handler = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

/** What the server needs of the service. */
interface HttpParts extends ServiceParts {
  config: Config;
  notifications: { on: Notifications['on'] };
  github: AppParts;
  metrics: { contentType: string; onHttpRequest: (report: RequestReport) => void };
  readMetrics: () => Promise<string>;
  degraded: () => readonly string[];
  threads: Threads;
  redactor: { redact: (text: string) => string };
  timing: Timing;
  /** Open already, and from now on this server's. Without it, one is opened at HOST and PORT. */
  listener?: Listener | undefined;
}

/**
 * Serves the API, the webhooks, `/setup`, the probes and the metrics. Returns the address. `/readyz` succeeds from the call of `open` until
 * the service stops.
 */
export async function startHttpServer(
  parts: HttpParts,
  cleanup: AsyncDisposableStack,
): Promise<{ url: string; open: () => void }> {
  const { config, log, store, notifications, timing } = parts;
  const { host, role } = config;
  let isOpen = false;
  let port = config.port;
  const feed = createEventFeed({ database: store.database, notifications, timing: timing.events, log });
  const openStream = createOpenStreams({ timing: timing.events });
  const shared: HandlerParts = {
    readBody: createReadBody({ budget: createBodyBudget() }),
    openStream,
    feed,
    sendEvents: createSendEvents({ feed, openStream, format: toEventResource }),
    projectFeed: cleanup.use(createProjectFeed({ notifications, timing: timing.events })),
    isOpen: () => isOpen,
    origin: () => config.publicUrl ?? formatLocalUrl({ host, port }),
    // A worker receives no webhooks and has no secret. Without one, Probot would use a well-known default.
    webhookSecret: config.github.webhookSecret || randomUUID(),
  };
  const probot = createProbot(parts, shared);
  const api = createApiHandler(parts, shared);
  const handlers = role === 'worker' ? [api] : [...createPublicHandlers(parts, shared, probot), api];
  const addHandlers: ApplicationFunction = (_probot, { addHandler }) => {
    for (const handler of handlers) addHandler(handler);
  };
  const middleware = await createNodeMiddleware(addHandlers, { probot });

  const listener = cleanup.use(parts.listener ?? (await openListener({ host, port })));
  ({ port } = listener);
  listener.serve(middleware);
  // Runs before the server waits for open responses.
  cleanup.use(feed);
  // Runs before the server stops listening.
  cleanup.defer(() => {
    isOpen = false;
  });
  const open = () => {
    isOpen = true;
  };
  return { url: `http://${host}:${port}`, open };
}

/** What several handlers share. */
interface HandlerParts extends SharedParts {
  sendEvents: SendEvents;
  isOpen: () => boolean;
  webhookSecret: string;
}

function createProbot({ config, store, log }: HttpParts, { webhookSecret: secret }: HandlerParts): Probot {
  const { appId, privateKey, apiUrl: baseUrl } = config.github;
  const probot = new Probot({ appId, privateKey, secret, baseUrl, log: log.child({ name: 'probot' }) });
  probot.on(
    events.map(({ name }) => name),
    (event) => storeDelivery(store, event),
  );
  return probot;
}

function createApiHandler(parts: HttpParts, { readBody, sendEvents, isOpen }: HandlerParts): Handler {
  const { config, metrics, redactor } = parts;
  const api = createApi({
    ...parts,
    readBody,
    sendEvents,
    isOpen,
    keyWaits: parts.timing.idempotency,
    cursorSecret: config.github.privateKey,
    redact: redactor.redact,
    metrics: {
      contentType: metrics.contentType,
      render: parts.readMetrics,
      token: config.metricsToken,
      isLocal: createLocalCheck(config.publicUrl),
    },
    onRequest: metrics.onHttpRequest,
  });
  return (request, response) => {
    api(request, response);
    return true;
  };
}

/** Everything beside the API. */
function createPublicHandlers(parts: HttpParts, shared: HandlerParts, probot: Probot): Handler[] {
  const { config, github, threads, log, redactor } = parts;
  const { readBody, webhookSecret: secret } = shared;
  return [
    createWebhookReceiver({
      probot,
      secret,
      log,
      readBody,
      runTask: (task, input, signal) => threads.run(task, input, { signal }),
    }),
    createInstalledPages({
      ...github,
      examine: parts.examine,
      webUrl: config.github.webUrl,
      isLocal: createLocalCheck(config.publicUrl),
    }),
    createDashboard({ ...parts, ...github, ...shared, runTask: runFor(threads, 'dashboard'), redact: redactor.redact }),
  ];
}
