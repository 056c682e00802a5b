import { once } from 'node:events';
import type { Server } from 'node:http';

/**
 * Has a server listen, and gives the port that it got. Disposing takes nothing new in, lets what is under way end, and closes. Throws an
 * `Error` that names PORT where it cannot listen.
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
  await once(server, 'listening').catch((cause) => {
    throw new Error(`could not listen on ${host}:${wanted}; is PORT in use by another process?`, { cause });
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
