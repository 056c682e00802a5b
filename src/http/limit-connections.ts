import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Half of them may be streams. Open files are limited, too, and the database and git need some. */
const defaultMaxConnections = 2_000;

/**
 * Keeps idle connections from blocking new ones. At the limit, a new connection replaces the one that is idle the longest; if none is
 * idle, the one whose request began first. Node.js's `maxConnections` would refuse the new one instead.
 */
export function limitConnections(server: Server, maxConnections = defaultMaxConnections): void {
  /** Oldest first. */
  const idle = new Set<Socket>();
  /** How many requests each has. Some may wait for the answers before them. */
  const busy = new Map<Socket, number>();
  const forget = (socket: Socket) => idle.delete(socket) || busy.delete(socket);
  server.on('connection', (socket: Socket) => {
    const [oldest] = idle.size > 0 ? idle : busy.keys();
    if (oldest && idle.size + busy.size >= maxConnections) {
      forget(oldest);
      oldest.destroy();
    }
    idle.add(socket);
    socket.once('close', () => forget(socket));
  });
  const onRequest = ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket);
    busy.set(socket, (busy.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (busy.get(socket) ?? 0) - 1;
      if (left > 0) busy.set(socket, left);
      else if (busy.delete(socket) && !socket.destroyed) idle.add(socket);
    });
  };
  server.on('request', onRequest).on('checkContinue', onRequest);
}
