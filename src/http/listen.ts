import { once } from 'node:events';
import type { Server } from 'node:http';

const hints: Partial<Record<string, string>> = {
  EADDRINUSE: ': another process uses this PORT',
  EADDRNOTAVAIL: ': HOST is no address of this machine',
  EACCES: ': this user may not use this PORT, set 1024 or more',
};

/**
 * Has a server listen, and returns the port that it got. Disposing takes no new connections, lets answers that are under way end, and closes.
 * Throws an `Error` where it cannot listen, which names the variable to change if the cause is a common one.
 */
export async function listen(
  server: Server,
  {
    host,
    port: wanted,
    drainMs,
  }: {
    host: string;
    port: number;
    /** Answers that are under way get this long when it stops; then their connections are cut. */
    drainMs: number;
  },
): Promise<AsyncDisposable & { port: number }> {
  server.listen(wanted, host);
  await once(server, 'listening').catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`could not listen on ${host}:${wanted}${hints[cause.code ?? ''] ?? ''}`, { cause });
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : wanted;
  return {
    port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      // A connection that is busy now is kept alive by its client afterwards, and would hold the stop up.
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      const cut = setTimeout(() => server.closeAllConnections(), drainMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
}
