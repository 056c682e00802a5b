import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type AllowedHosts, isAllowedHost } from '../config/allowed-hosts.ts';
import { createGuardedLookup, parseWebhookUrl, type Resolve, UrlRefused } from './guard.ts';

/** `status` null: no answer. `error` null: the answer is a success. */
export interface PostResult {
  status: number | null;
  error: string | null;
}

export type Post = (
  url: string,
  message: { headers: Record<string, string>; body: string },
  signal: AbortSignal,
) => Promise<PostResult>;

const maxAnswerBytes = 4_096;

/**
 * Sends one POST on a connection of its own, to an address that `WEBHOOK_ALLOWED_HOSTS` or the public internet has. Follows no redirect. Throws
 * only the reason of `signal`.
 */
export function createPost({
  allowed,
  resolve,
  timeoutMs,
}: {
  allowed: AllowedHosts;
  resolve: Resolve;
  timeoutMs: number;
}): Post {
  const lookup = createGuardedLookup(resolve);
  return async (text, { headers, body }, signal) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const url = parseWebhookUrl(text, allowed);
      const send = url.protocol === 'https:' ? requestHttps : requestHttp;
      const response = await new Promise<IncomingMessage>((answered, failed) => {
        const request = send(url, {
          method: 'POST',
          agent: false,
          headers: { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' },
          signal: AbortSignal.any([signal, timeout]),
          ...(!isAllowedHost(allowed, url) && { lookup }),
        });
        request.on('response', answered).on('error', failed).end(body);
      });
      await discard(response);
      return describeAnswer(response.statusCode ?? 0);
    } catch (error) {
      signal.throwIfAborted();
      const reason = timeout.aborted ? `no answer within ${timeoutMs / 1_000} s` : describeFailure(error);
      return { status: null, error: reason };
    }
  };
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

function describeAnswer(status: number): PostResult {
  if (status >= 200 && status < 300) return { status, error: null };
  const isRedirect = status >= 300 && status < 400;
  return {
    status,
    error: isRedirect ? `it answered with a redirect (${status}), which is not followed` : `it answered ${status}`,
  };
}

/** The codes of Node.js say enough: ECONNREFUSED, ENOTFOUND, CERT_HAS_EXPIRED. */
function describeFailure(error: unknown): string {
  if (error instanceof UrlRefused) return `the URL ${error.message}`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return `the connection failed (${code})`;
}
