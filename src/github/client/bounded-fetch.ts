import type { Transport } from './transport.ts';

/**
 * The fetch of one client: each request ends after a time-out or with `signal`, and `onAnswered` is told what came of it. Both are done
 * here and not around each call, because only fetch sees every request.
 */
export function createBoundedFetch({
  transport: { fetch = globalThis.fetch, requestTimeoutMs = 30_000, onAnswered = () => {} },
  installationId,
  signal,
}: {
  transport: Transport;
  installationId: number | undefined;
  signal: AbortSignal;
}): typeof globalThis.fetch {
  return async (input, init) => {
    const method = init?.method ?? 'GET';
    const tell = (response?: Response) =>
      onAnswered({
        method,
        status: response?.status ?? 0,
        installationId,
        remaining: readCount(response?.headers.get('x-ratelimit-remaining')),
        limit: readCount(response?.headers.get('x-ratelimit-limit')),
      });
    const isRead = method === 'GET' || method === 'HEAD';
    const response = await fetch(input, {
      ...init,
      signal: AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]),
      // A renamed repository answers 301. fetch would follow a POST there as a GET and take its list for what was created.
      redirect: isRead ? 'follow' : 'manual',
    }).catch((error: unknown) => {
      tell();
      throw error;
    });
    tell(response);
    return response;
  };
}

const readCount = (text: string | null | undefined): number | undefined =>
  text && /^\d+$/.test(text) ? Number(text) : undefined;
