import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ApplicationFunction, createNodeMiddleware, Probot } from 'probot';
import type { Config } from '../config/config.ts';
import { formatLocalUrl } from '../config/urls.ts';
import type { ReadDiff } from '../diffs/read-diff.ts';
import type { GitHubApp } from '../github/auth/app.ts';
import { createEventFeed } from '../job-feed/event-feed.ts';
import { createProjectFeed } from '../job-feed/project-feed.ts';
import type { Log } from '../log.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { OpenProject } from '../projects/open-project.ts';
import type { Roles } from '../projects/roles.ts';
import type { Notifications } from '../store/postgres/notifications.ts';
import type { Store } from '../store/store.ts';
import type { Threads } from '../threads/threads.ts';
import type { Timing } from '../timing.ts';
import { toEventResource } from './api/events/event-resource.ts';
import type { RequestReport } from './api/requests/watch-requests.ts';
import { createApi } from './api/server.ts';
import { createBodyBudget } from './bodies/body-budget.ts';
import { createReadBody } from './bodies/read-body.ts';
import { createDashboard } from './dashboard/create-dashboard.ts';
import type { DashboardParts } from './dashboard/dashboard-parts.ts';
import { isLoopbackRequest } from './is-loopback-request.ts';
import { type Listener, openListener } from './open-listener.ts';
import { createInstalledPages } from './setup/installed-pages.ts';
import { createOpenStreams } from './streams/open-streams.ts';
import { createSendEvents } from './streams/send-events.ts';
import { events, storeDelivery } from './webhooks/store-delivery.ts';
import { createWebhookReceiver } from './webhooks/webhook-receiver.ts';

/** Answers a request and returns true, or returns false for the next handler. */
type Handler = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

/**
 * Serves the API, the webhooks, `/setup`, the probes and the metrics. Returns the address. `/readyz` succeeds from the call of `open` until
 * the service stops.
 */
export async function startHttpServer(
  {
    config,
    log,
    store,
    notifications,
    github,
    metrics,
    readMetrics,
    degraded,
    problems,
    examine,
    threads,
    authorization = null,
    redactor,
    openProject,
    roles,
    outbound,
    timing,
    readDiff,
    listener: opened,
  }: {
    config: Config;
    log: Log;
    store: Store;
    notifications: Pick<Notifications, 'on'>;
    github: Pick<GitHubApp, 'describeInstallations' | 'fetchInstallation'> & {
      fetchApp: (signal: AbortSignal) => Promise<{ slug: string; name: string }>;
    };
    metrics: { contentType: string; onHttpRequest: (report: RequestReport) => void };
    readMetrics: () => Promise<string>;
    degraded: () => readonly string[];
    problems: DashboardParts['problems'];
    examine: DashboardParts['examine'];
    threads: Threads;
    /** Without it, nobody can sign in to the dashboard. */
    authorization?: DashboardParts['authorization'];
    redactor: { redact: (text: string) => string };
    openProject: OpenProject;
    roles: Roles;
    outbound: Outbound;
    timing: Timing;
    readDiff: ReadDiff;
    /** Open already, and from now on this server's. Without it, one is opened at HOST and PORT. */
    listener?: Listener | undefined;
  },
  cleanup: AsyncDisposableStack,
): Promise<{ url: string; open: () => void }> {
  const { host, role } = config;
  const { appId, privateKey, webhookSecret, apiUrl: baseUrl, webUrl } = config.github;
  let isOpen = false;
  let port = config.port;
  const readBody = createReadBody({ budget: createBodyBudget() });
  const feed = createEventFeed({ database: store.database, notifications, timing: timing.events, log });
  const openStream = createOpenStreams({ timing: timing.events });
  const sendEvents = createSendEvents({ feed, openStream, format: toEventResource });
  const projectFeed = cleanup.use(createProjectFeed({ notifications, timing: timing.events }));
  const api = createApi({
    store,
    config,
    log,
    readBody,
    cursorSecret: privateKey,
    openProject,
    readDiff,
    outbound,
    redact: redactor.redact,
    sendEvents,
    isOpen: () => isOpen,
    degraded,
    metrics: {
      contentType: metrics.contentType,
      render: readMetrics,
      token: config.metricsToken,
      isLocal: isLoopbackRequest,
    },
    onRequest: metrics.onHttpRequest,
  });
  const answerApi: Handler = (request, response) => {
    api(request, response);
    return true;
  };
  // A worker receives no webhooks and has no secret. Without one, Probot would use a well-known default.
  const secret = webhookSecret || randomUUID();
  const probot = new Probot({ appId, privateKey, secret, baseUrl, log: log.child({ name: 'probot' }) });
  probot.on([...events], (event) => storeDelivery(store, event));
  const handlers: Handler[] =
    role === 'worker'
      ? [answerApi]
      : [
          createWebhookReceiver({
            ...{ probot, secret, log, readBody },
            runTask: (task, input, signal) => threads.run(task, input, { signal }),
          }),
          createInstalledPages({ ...github, examine, isLocal: isLoopbackRequest, webUrl }),
          createDashboard({
            ...{
              store,
              config,
              authorization,
              openProject,
              readDiff,
              sendEvents,
              openStream,
              projectFeed,
              readBody,
              log,
            },
            roles,
            fetchApp: github.fetchApp,
            fetchInstallation: github.fetchInstallation,
            describeInstallations: github.describeInstallations,
            ...{ problems, examine, outbound },
            origin: () => config.publicUrl ?? formatLocalUrl({ host, port }),
            redact: redactor.redact,
          }),
          answerApi,
        ];
  const addHandlers: ApplicationFunction = (_probot, { addHandler }) => {
    for (const handler of handlers) addHandler(handler);
  };
  const middleware = await createNodeMiddleware(addHandlers, { probot });

  const listener = cleanup.use(opened ?? (await openListener({ host, port })));
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
