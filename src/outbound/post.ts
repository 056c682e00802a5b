import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions, request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { findProxy } from '../config/network.ts';
import { type AllowedHosts, isAllowedHost } from '../config/urls.ts';
import { codeOf, hasCode } from '../errors.ts';
import { parseRetryAfter } from '../retry-after.ts';
import { untilAborted } from '../until-aborted.ts';
import {
  createGuardedLookup,
  findPublicAddresses,
  parseWebhookUrl,
  type Resolve,
  toHostAddress,
  UrlRefused,
} from './webhook-url.ts';

/** `status` null: no answer. `error` null: the answer is a success. `retryAfterMs`: the receiver asks for that pause. */
export interface PostResult {
  status: number | null;
  error: string | null;
  retryAfterMs?: number;
}

export type Post = (url: string, message: Message, signal: AbortSignal) => Promise<PostResult>;

interface Message {
  headers: Record<string, string>;
  body: string;
}

const maxAnswerBytes = 4_096;

/**
 * Sends one POST on a new connection, directly or through the proxy, to a public address or one of `WEBHOOK_ALLOWED_HOSTS`. Follows no
 * redirect. Throws only the reason of `signal`.
 */
export function createPost({ timeoutMs, ...network }: Network & { timeoutMs: number }): Post {
  return async (text, message, signal) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const stopped = AbortSignal.any([signal, timeout]);
    let isProxied = false;
    try {
      const url = parseWebhookUrl(text, network.allowed);
      const routes = await untilAborted(findRoutes(url, network), stopped, 0);
      isProxied = routes.isProxied;
      const response = await sendByFirst(routes.options, (options) =>
        send(url, message, { ...options, timeout: timeoutMs, signal: stopped }),
      );
      await discard(response);
      return describeAnswer(response);
    } catch (error) {
      signal.throwIfAborted();
      const reason = timeout.aborted ? `no answer within ${timeoutMs / 1_000} s` : describeFailure(error, isProxied);
      return { status: null, error: reason };
    }
  };
}

/** Without a tunnel nothing was sent, so the next address may be tried. */
async function sendByFirst(
  [route, ...others]: [RequestOptions, ...RequestOptions[]],
  sendBy: (options: RequestOptions) => Promise<IncomingMessage>,
): Promise<IncomingMessage> {
  const [next, ...rest] = others;
  return sendBy(route).catch((error: unknown) => {
    if (next === undefined || !isTunnelRefused(error)) throw error;
    return sendByFirst([next, ...rest], sendBy);
  });
}

/** Resolves with the headers of the answer. */
function send(url: URL, { headers, body }: Message, options: RequestOptions): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const length = { 'content-length': Buffer.byteLength(body) };
  return new Promise((answered, failed) => {
    request(url, {
      method: 'POST',
      ...options,
      headers: { ...options.headers, ...headers, ...length, connection: 'close' },
    })
      .on('response', answered)
      .on('error', failed)
      .end(body);
  });
}

/** Reads a short answer to its end, so that the receiver sees no reset. The status counts, whatever follows it. */
async function discard(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of response) {
      bytes += chunk.length;
      if (bytes > maxAnswerBytes) break;
    }
  } catch {
    // The connection broke or the time is up.
  } finally {
    response.destroy();
  }
}

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#deliverability-and-reliability */
const asksForPause = [429, 503];

function describeAnswer({ statusCode: status = 0, headers }: IncomingMessage): PostResult {
  if (status >= 200 && status < 300) return { status, error: null };
  const isRedirect = status >= 300 && status < 400;
  const retryAfterMs = asksForPause.includes(status) ? parseRetryAfter(headers['retry-after'], Date.now()) : undefined;
  return {
    status,
    error: isRedirect ? `it answered with a redirect (${status}), which is not followed` : `it answered ${status}`,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** `statusCode` is that of the proxy's answer. */
const isTunnelRefused = (error: unknown): error is Error & { statusCode?: number } =>
  hasCode(error, 'ERR_PROXY_TUNNEL');

/** The codes of Node.js say enough: ECONNREFUSED, ENOTFOUND, CERT_HAS_EXPIRED. */
function describeFailure(error: unknown, isProxied: boolean): string {
  if (error instanceof UrlRefused) return `the URL ${error.message}`;
  if (isTunnelRefused(error)) return `the proxy refused the connection (${error.statusCode ?? 'no answer'})`;
  return `the connection ${isProxied ? 'through the proxy ' : ''}failed (${codeOf(error)})`;
}

interface Network {
  allowed: AllowedHosts;
  resolve: Resolve;
  proxies: Readonly<Record<string, string>>;
}

interface Routes {
  isProxied: boolean;
  /** For requests to the URL, in the order to try. */
  options: [RequestOptions, ...RequestOptions[]];
}

/**
 * A proxy gets the checked address, so that it looks nothing up: the certificate and Host still have the name. It looks up only the hosts of
 * `WEBHOOK_ALLOWED_HOSTS`. Throws `UrlRefused` if no address is public.
 */
async function findRoutes(url: URL, { allowed, resolve, proxies }: Network): Promise<Routes> {
  const isAllowed = isAllowedHost(allowed, url);
  const proxy = findProxy(url, proxies);
  if (proxy === undefined) {
    const lookup = isAllowed ? {} : { lookup: createGuardedLookup(resolve) };
    return { isProxied: false, options: [{ agent: false, ...lookup }] };
  }
  const proxyEnv = { http_proxy: proxy, https_proxy: proxy };
  const agent = url.protocol === 'https:' ? new HttpsAgent({ proxyEnv }) : new HttpAgent({ proxyEnv });
  if (isAllowed || isIP(toHostAddress(url)) !== 0) return { isProxied: true, options: [{ agent }] };
  const addresses = await findPublicAddresses(url.hostname, resolve);
  const byAddress = ({ address }: { address: string }): RequestOptions => ({
    agent,
    hostname: address,
    servername: url.hostname,
    headers: { host: url.host },
  });
  // Networks behind proxies often have no IPv6.
  const [first, ...others] = addresses.sort((one, other) => one.family - other.family);
  return { isProxied: true, options: [byAddress(first), ...others.map(byAddress)] };
}
