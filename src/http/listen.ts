import { once } from 'node:events';
import type { Server } from 'node:http';

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
