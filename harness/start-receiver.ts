import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

export interface ReceivedPost {
  at: number;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A status, headers and a body; or `hang`: no answer. */
export type ReceiverAnswer = { status: number; headers?: Record<string, string>; body?: string } | 'hang';

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Receives POSTs on a free port of 127.0.0.1, and answers 204 or as `answer` says. */
export async function startReceiver({
  answer = () => ({ status: 204 }),
}: {
  answer?: (post: ReceivedPost) => ReceiverAnswer;
} = {}) {
  const posts: ReceivedPost[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const post = { at: performance.now(), path: request.url ?? '', headers: request.headers, body };
    posts.push(post);
    const answered = answer(post);
    if (answered !== 'hang') response.writeHead(answered.status, answered.headers).end(answered.body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  const host = `127.0.0.1:${address.port}`;
  return {
    posts,
    /** For `WEBHOOK_ALLOWED_HOSTS`. */
    host,
    url: `http://${host}/hook`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
