import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** More than any client pipelines. One read of a socket can bring thousands of requests. */
const mostWaiting = 64;

/**
 * Serves the requests of each connection one after another: a request begins when the answer before it is sent. Until then the connection is
 * not read. A client that has not taken a whole answer `unreadMs` after its end loses the connection.
 */
export function createServeInTurn({ unreadMs }: { unreadMs: number }) {
  /** The requests that wait behind the one that their connection serves. */
  const waiting = new WeakMap<Socket, (() => void)[]>();

  function begin(response: ServerResponse, serve: () => void, next: () => void): void {
    let timer: NodeJS.Timeout | undefined;
    response.once('prefinish', () => {
      timer = setTimeout(() => response.destroy(), unreadMs);
    });
    response.once('close', () => {
      clearTimeout(timer);
      next();
    });
    serve();
  }

  function serveNext(socket: Socket): void {
    const next = waiting.get(socket)?.shift();
    if (next === undefined || socket.destroyed) waiting.delete(socket);
    else next();
  }

  return (request: IncomingMessage, response: ServerResponse, serve: () => void): void => {
    const { socket } = request;
    const others = waiting.get(socket);
    if (others === undefined) {
      waiting.set(socket, []);
      begin(response, serve, () => serveNext(socket));
      return;
    }
    if (others.length >= mostWaiting) {
      socket.destroy();
      return;
    }
    socket.pause();
    others.push(() => {
      // From now on more requests are seen, and that the client has left. The reader of a body starts the connection itself.
      if (others.length === 0 && request.complete) socket.resume();
      begin(response, serve, () => serveNext(socket));
    });
  };
}
