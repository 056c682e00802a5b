import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createHttpServer } from './create-http-server.ts';

const httpDrainMs = 5_000;

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** A port that stays open while what answers on it changes. Disposing it closes the port. */
export interface Listener extends AsyncDisposable {
  port: number;
  /** From now on, `handle` answers. */
  serve(handle: Handle): void;
}

/** Requests wait until the first call of `serve`. Throws as `listen`. */
export async function openListener({ host, port }: { host: string; port: number }): Promise<Listener> {
  const first = Promise.withResolvers<Handle>();
  let answer: Handle = async (request, response) => (await first.promise)(request, response);
  const server = createHttpServer((request, response) => answer(request, response));
  const listening = await listen(server, { host, port, drainMs: httpDrainMs });
  const serve = (handle: Handle) => {
    answer = handle;
    first.resolve(handle);
  };
  return { port: listening.port, serve, [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose]() };
}

const hints: Partial<Record<string, string>> = {
  EADDRINUSE: ': another process uses this PORT',
  EADDRNOTAVAIL: ': HOST is not an address of this machine',
  EACCES: ': this user cannot use this PORT: set 1024 or higher',
};

/**
 * Starts a listener with graceful shutdown, and returns its port. Disposing it accepts no new connections, waits for the responses in
 * progress, and closes. Throws an `Error` that names the variable to change, for the common causes.
 */
export async function listen(
  server: Server,
  options: {
    host: string;
    port: number;
    /** How long a shutdown waits for responses in progress before it closes their connections. */
    drainMs: number;
  },
): Promise<AsyncDisposable & { port: number }> {
  const { host, port: requestedPort, drainMs } = options;
  server.listen(requestedPort, host);
  await once(server, 'listening').catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`could not listen on ${host}:${requestedPort}${hints[cause.code ?? ''] ?? ''}`, { cause });
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : requestedPort;
  return {
    port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      // A busy connection becomes an idle keep-alive connection later, and would delay the shutdown.
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      const cut = setTimeout(() => server.closeAllConnections(), drainMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
}
