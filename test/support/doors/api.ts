import { z } from 'zod';
import { serveApi } from '../../../harness/serve-api.ts';
import { GitHubRefusal } from '../../../src/github/refusals/github-refusal.ts';
import type { ApiConfig } from '../../../src/http/api/endpoint.ts';
import { createLog } from '../../../src/log.ts';
import type { Outbound } from '../../../src/outbound/outbound.ts';
import type { Notifications } from '../../../src/store/postgres/notifications.ts';
import type { Store } from '../../../src/store/store.ts';
import { realTiming, type Timing } from '../../../src/timing.ts';

export const jobShape = z.strictObject({
  id: z.string().regex(/^job_[0-9a-z]{26}$/),
  status: z.enum(['active', 'completed', 'failed', 'archived']),
  source: z.strictObject({ repository: z.url(), ref: z.string() }),
  model: z.string(),
  prLink: z.string().nullable(),
  createdAt: z.iso.datetime({ precision: 3 }),
  archivedAt: z.iso.datetime({ precision: 3 }).nullable(),
});

export const problemShape = z.looseObject({
  type: z.string().startsWith('urn:pagewright:problem:'),
  title: z.string().min(1),
  status: z.int().min(400).max(599),
  detail: z.string().min(1),
  instance: z.string().startsWith('urn:uuid:'),
  error: z.string(),
});

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON; undefined when it is not JSON. */
  body: unknown;
}

export interface RunningApi extends AsyncDisposable {
  url: string;
  lines: string[];
  /** A string or bytes as `body` are sent as they are, anything else as JSON. */
  call(
    method: string,
    path: string,
    options?: { key?: string | undefined; body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer>;
}

/** The API on a port of its own, over the test's database. */
export async function startApi({
  store,
  isOpen = () => true,
  keyWaits = realTiming.idempotency,
  cursorSecret,
  redact,
  outbound,
  notifications = { on: () => {} },
  timing = realTiming.events,
  ...config
}: {
  store: Store;
  isOpen?: () => boolean;
  keyWaits?: Timing['idempotency'];
  cursorSecret?: string;
  redact?: (text: string) => string;
  outbound?: Outbound;
  notifications?: Pick<Notifications, 'on'>;
  timing?: Timing['events'];
} & Partial<ApiConfig>): Promise<RunningApi> {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const log = createLog({ level: 'debug', redact: (line) => line, destination: { write } });
  const metrics = { contentType: 'text/plain', render: async () => 'up 1\n', token: null, isLocal: () => true };
  const server = await serveApi({
    readDiff: async () => ({ files: [], truncated: false }),
    openProject: () => Promise.reject(new GitHubRefusal({ reason: 'repository_gone', repository: 'acme/docs' })),
    store,
    config,
    log,
    isOpen,
    metrics,
    keyWaits,
    notifications,
    timing,
    ...(cursorSecret && { cursorSecret }),
    ...(redact && { redact }),
    ...(outbound && { outbound }),
  });
  const { url } = server;
  return {
    url,
    lines,
    async call(method, path, { key, body, headers = {} } = {}) {
      const isRaw = typeof body === 'string' || body instanceof Uint8Array;
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
        redirect: 'manual',
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, body: parseJson(text) };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
