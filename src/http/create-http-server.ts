import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { realTiming } from '../timing.ts';
import { formatProblem, HttpProblem, httpProblemKinds, problemType, sendProblem } from './problem.ts';

/** An unread body is received and dropped, so that the client sees the answer. A larger one is cut off. */
const maxDroppedBytes = 1024 * 1024;

/**
 * Every HTTP server of the service. Answers what Node.js would answer without a body (bad syntax, late headers, an unknown expectation) with
 * problems. Serves one request of a connection at a time. Refuses chunked bodies, and reads other bodies only when the handler does. A handler
 * that reads one must send `100 Continue` if the client expects that.
 */
export function createHttpServer(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  options: {
    headersMs: number;
    requestMs: number;
    silentConnectionMs: number;
    unreadAnswerMs: number;
  } = realTiming.http,
): Server {
  const { headersMs, requestMs, silentConnectionMs, unreadAnswerMs } = options;
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(headersMs, 1_000),
    // Node.js would answer without a body.
    requireHostHeader: false,
  });
  server.timeout = silentConnectionMs;
  const answering = new WeakMap<Duplex, ServerResponse>();
  const serveInTurn = createServeInTurn({ unreadMs: unreadAnswerMs });

  const accept = (request: IncomingMessage, response: ServerResponse) => {
    serveInTurn(request, response, () => answer(request, response));
    // Leaves the body in the socket's buffer: Node.js would read 64 KiB of it, which take 50 MB if they arrive byte by byte.
    if (hasBody(request)) request.socket.pause();
  };
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    answering.set(request.socket, response);
    const problem = findProblem(request);
    if (problem || isTooLargeToDrop(request)) response.setHeader('Connection', 'close');
    if (problem) sendProblem(response, problem, randomUUID());
    else handle(request, response);
  };
  server.on('request', accept).on('checkContinue', accept);
  server.on('checkExpectation', (_request, response) => {
    const problem = new HttpProblem('expectation-failed', 'Send no Expect header, or `Expect: 100-continue`.');
    sendProblem(response, problem, randomUUID());
  });
  server.on('connect', (_request, socket) => {
    refuse(socket, new HttpProblem('method-not-allowed', 'This is not a proxy.', { headers: { Allow: 'GET, POST' } }));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = answering.get(socket);
    const isAnswering = response?.headersSent && !response.writableFinished;
    if (socket.writable && !isAnswering) refuse(socket, toProblem(error.code));
    else socket.destroy(error);
  });
  limitConnections(server);
  return server;
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

const isTooLargeToDrop = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? 0) > maxDroppedBytes;

/** Refuses requests that no handler accepts. In memory, each chunk of a body is a Buffer: 64 KiB of tiny ones take megabytes. */
function findProblem({ headers, headersDistinct, httpVersion }: IncomingMessage): HttpProblem | undefined {
  if (headers['transfer-encoding'] !== undefined)
    return new HttpProblem('length-required', 'Send a Content-Length. Chunked bodies are not accepted.');
  if (httpVersion === '1.1' && headersDistinct.host?.length !== 1)
    return new HttpProblem('invalid-request', 'Send one Host header.');
  return undefined;
}

/** https://nodejs.org/api/http.html#event-clienterror */
function toProblem(code: string | undefined): HttpProblem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new HttpProblem('headers-too-large', 'The URL and the headers together must not exceed 16 KiB.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new HttpProblem('request-timeout', 'The request did not arrive in time.');
  return new HttpProblem('invalid-request', 'The request is not valid HTTP/1.1.');
}

/** Answers on a connection that has no response object, and closes it. */
function refuse(socket: Duplex, problem: HttpProblem): void {
  const requestId = randomUUID();
  const body = JSON.stringify(formatProblem(problem, requestId));
  const { status, title } = httpProblemKinds[problem.kind];
  const headers = {
    ...problem.headers,
    'Content-Type': problemType,
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': requestId,
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${title}`, ...lines, '', body].join('\r\n'), () => socket.destroy());
}

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

/** More than any client pipelines. One read of a socket can bring thousands of requests. */
const mostWaiting = 64;

/**
 * Serves the requests of each connection one after another: a request begins when the answer before it is sent. Until then the connection is
 * not read. A client that has not taken a whole answer `unreadMs` after its end loses the connection.
 */
function createServeInTurn({ unreadMs }: { unreadMs: number }) {
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
