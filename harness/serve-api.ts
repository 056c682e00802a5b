import type { ReadDiff } from '../src/diffs/read-diff.ts';
import type { ApiConfig } from '../src/http/api/endpoint.ts';
import { toEventResource } from '../src/http/api/events/event-resource.ts';
import { createApi } from '../src/http/api/server.ts';
import { createBodyBudget } from '../src/http/bodies/body-budget.ts';
import { createReadBody } from '../src/http/bodies/read-body.ts';
import { createHttpServer } from '../src/http/create-http-server.ts';
import { listen } from '../src/http/listen.ts';
import { createOpenStreams } from '../src/http/streams/open-streams.ts';
import { createSendEvents } from '../src/http/streams/send-events.ts';
import { createEventFeed } from '../src/job-feed/event-feed.ts';
import { createOutbound, type Outbound } from '../src/outbound/outbound.ts';
import type { OpenProject } from '../src/projects/open-project.ts';
import type { Notifications } from '../src/store/postgres/notifications.ts';
import { realTiming, type Timing } from '../src/timing.ts';

type ApiParts = Parameters<typeof createApi>[0];

/** Serves the API alone, on a free port of 127.0.0.1. Without `notifications`, events arrive as after a lost notification. */
export async function serveApi({
  config = {},
  cursorSecret = 'shared by all processes',
  redact = (text) => text,
  readDiff = () => Promise.reject(new Error('this API cannot read diffs')),
  openProject = () => Promise.reject(new Error('this API cannot ask GitHub')),
  notifications = { on: () => {} },
  outbound = createOutbound({ secretsKey: { kind: 'missing' }, webhookAllowedHosts: [] }),
  timing = realTiming.events,
  ...parts
}: Omit<
  ApiParts,
  'config' | 'readBody' | 'cursorSecret' | 'redact' | 'openProject' | 'outbound' | 'readDiff' | 'sendEvents'
> & {
  config?: Partial<ApiConfig>;
  cursorSecret?: string;
  redact?: (text: string) => string;
  openProject?: OpenProject;
  outbound?: Outbound;
  notifications?: Pick<Notifications, 'on'>;
  timing?: Timing['events'];
  readDiff?: ReadDiff;
}) {
  const defaults: ApiConfig = {
    role: 'all',
    publicUrl: null,
    github: { webUrl: 'https://github.com' },
    openai: { models: ['gpt-5', 'gpt-5-mini'] },
    prices: {},
    projectLimits: { rateLimit: 0 },
  };
  const readBody = createReadBody({ budget: createBodyBudget() });
  const feed = createEventFeed({ database: parts.store.database, notifications, timing, log: parts.log });
  const openStream = createOpenStreams({ timing });
  const sendEvents = createSendEvents({ feed, openStream, format: toEventResource });
  const doors = { readBody, sendEvents, cursorSecret, redact, openProject, outbound, readDiff };
  const api = createApi({ ...parts, ...doors, config: { ...defaults, ...config } });
  const { port, ...listening } = await listen(createHttpServer(api), { host: '127.0.0.1', port: 0, drainMs: 1_000 });
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      await feed[Symbol.asyncDispose]();
      await listening[Symbol.asyncDispose]();
    },
  };
}
