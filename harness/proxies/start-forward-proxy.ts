import { once } from 'node:events';
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { createConnection } from 'node:net';
import type { Duplex } from 'node:stream';

/** A port of 127.0.0.1, or the status of a refusal; `hang`: no answer. */
export type Route = { port: number } | number | 'hang';

/** A proxy like that of a company: tunnels by CONNECT, plain http by the whole URL. `route` is its network, by `host:port`. */
export async function startForwardProxy(route: (target: string) => Route) {
  /** `CONNECT host:port` and `GET http://host:port/path`, in order. */
  const asked: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const open = new Set<Duplex>();

  function tunnel({ url = '', headers }: IncomingMessage, client: Duplex): void {
    asked.push(`CONNECT ${url}`);
    authorizations.push(headers['proxy-authorization']);
    open.add(client);
    client.on('close', () => open.delete(client)).on('error', () => {});
    // Sockets of a server of Node.js may stay half open.
    client.on('end', () => client.end());
    const way = route(url);
    // Unread, the end of the connection is not noticed.
    if (typeof way !== 'object') client.resume();
    if (way === 'hang') return;
    if (typeof way === 'number') return void client.end(`HTTP/1.1 ${way} Refused\r\n\r\n`);
    const far = createConnection({ host: '127.0.0.1', port: way.port }, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(far).pipe(client);
    });
    far.on('error', () => client.destroy()).on('close', () => client.resume());
    client.on('close', () => far.destroy());
  }

  function forward(request: IncomingMessage, response: ServerResponse): void {
    asked.push(`${request.method} ${request.url}`);
    const { host, port, pathname, search } = new URL(request.url ?? '');
    const way = route(port === '' ? `${host}:80` : host);
    if (typeof way !== 'object') return void response.writeHead(typeof way === 'number' ? way : 504).end();
    const { method = 'GET', headers } = request;
    const on = requestHttp(
      { host: '127.0.0.1', port: way.port, method, path: pathname + search, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    on.on('error', () => response.destroy());
    request.pipe(on);
  }

  const server = createServer(forward).on('connect', tunnel);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    asked,
    authorizations,
    host: `127.0.0.1:${address.port}`,
    url: `http://127.0.0.1:${address.port}`,
    countTunnels: () => open.size,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
