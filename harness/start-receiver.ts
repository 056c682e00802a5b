import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { text } from 'node:stream/consumers';

export interface ReceivedPost {
  at: number;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A status, headers and a body; `hang`: no answer; `cut`: the connection ends without one. */
export type ReceiverAnswer = { status: number; headers?: Record<string, string>; body?: string } | 'hang' | 'cut';

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Receives POSTs on a free port of 127.0.0.1, and answers 204, or the result of `answer`. With `tls`, by https. */
export async function startReceiver({
  answer = () => ({ status: 204 }),
  tls,
}: {
  answer?: (post: ReceivedPost) => ReceiverAnswer | Promise<ReceiverAnswer>;
  tls?: { key: string; cert: string };
} = {}) {
  const posts: ReceivedPost[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const post = { at: performance.now(), path: request.url ?? '', headers: request.headers, body };
    posts.push(post);
    const answered = await answer(post);
    if (answered === 'cut') request.socket.destroy();
    else if (answered !== 'hang') response.writeHead(answered.status, answered.headers).end(answered.body);
  };
  const server = tls ? createTlsServer(tls, receive) : createServer(receive);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  const host = `127.0.0.1:${address.port}`;
  return {
    posts,
    /** For `WEBHOOK_ALLOWED_HOSTS`. */
    host,
    port: address.port,
    url: `http${tls ? 's' : ''}://${host}/hook`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
