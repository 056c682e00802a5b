import type { ApiConfig } from '../src/http/api/endpoint.ts';
import { toEventResource } from '../src/http/api/events/event-resource.ts';
import { createApi } from '../src/http/api/server.ts';
import { createBodyBudget } from '../src/http/bodies/body-budget.ts';
import { createReadBody } from '../src/http/bodies/read-body.ts';
import { createHttpServer } from '../src/http/create-http-server.ts';
import { listen } from '../src/http/open-listener.ts';
import { createOpenStreams } from '../src/http/streams/open-streams.ts';
import { createSendEvents } from '../src/http/streams/send-events.ts';
import { createEventFeed } from '../src/job-feed/event-feed.ts';
import { createOutbound } from '../src/outbound/outbound.ts';
import type { Notifications } from '../src/store/postgres/notifications.ts';
import { realTiming, type Timing } from '../src/timing.ts';

type ServerParts = Parameters<typeof createApi>[0];

/** Serves the API alone, on a free port of 127.0.0.1. Without `notifications`, events arrive as after a lost notification. */
export async function serveApi({
  config = {},
  notifications = { on: () => {} },
  timing = realTiming.events,
  ...parts
}: Pick<ServerParts, 'store' | 'log'> &
  Partial<Omit<ServerParts, 'config'>> & {
    config?: Partial<ApiConfig>;
    notifications?: Pick<Notifications, 'on'>;
    timing?: Timing['events'];
  }) {
  const defaults: ApiConfig = {
    role: 'all',
    publicUrl: null,
    github: { webUrl: 'https://github.com' },
    openai: { models: ['gpt-5', 'gpt-5-mini'], images: false },
    prices: {},
    projectLimits: { rateLimit: 0 },
  };
  const readBody = createReadBody({ budget: createBodyBudget() });
  const feed = createEventFeed({ database: parts.store.database, notifications, timing, log: parts.log });
  const openStream = createOpenStreams({ timing });
  const sendEvents = createSendEvents({ feed, openStream, format: toEventResource });
  const api = createApi({
    readBody,
    sendEvents,
    cursorSecret: 'shared by all processes',
    keyWaits: realTiming.idempotency,
    redact: (text) => text,
    readDiff: () => Promise.reject(new Error('this API cannot read diffs')),
    changes: { readAtOnce: async () => [] },
    automations: { prepare: async () => ({ kind: 'unknown' }), run: async () => ({ kind: 'nothing' }) },
    readContextStates: async () => [],
    openProject: () => Promise.reject(new Error('this API cannot ask GitHub')),
    outbound: createOutbound({ secretsKey: { kind: 'missing' }, webhookAllowedHosts: [] }),
    isOpen: () => true,
    degraded: () => [],
    onRequest: () => {},
    ...parts,
    config: { ...defaults, ...config },
  });
  const { port, ...listening } = await listen(createHttpServer(api), { host: '127.0.0.1', port: 0, drainMs: 1_000 });
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      await feed[Symbol.asyncDispose]();
      await listening[Symbol.asyncDispose]();
    },
  };
}
