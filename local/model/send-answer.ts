import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlannedAnswer, Protocol } from './protocol.ts';
import type { Fault } from './script.ts';

/** Streams an answer, with its `fault` if any. Resolves when the answer is sent or the client is gone. */
export async function sendAnswer({
  response,
  protocol,
  answer,
  fault,
}: {
  response: ServerResponse;
  protocol: Protocol;
  answer: PlannedAnswer;
  fault: Fault | undefined;
}): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const events = protocol.write(answer);
  const [first = {}] = events;
  const send = (event: object) => response.write(encodeEvent(event));
  const repeat = async (everyMs: number, chunk: string) => {
    while (!gone.signal.aborted) {
      response.write(chunk);
      await sleep(everyMs, undefined, { signal: gone.signal }).catch(() => undefined);
    }
  };

  switch (fault?.kind) {
    case 'status':
      sendError({ response, ...fault });
      return;
    case 'hang':
      return;
    case 'hang_up':
      response.destroy();
      return;
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>\n<h1>Sign in to the proxy</h1>\n');
      return;
  }

  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  switch (fault?.kind) {
    case 'stall':
      send(first);
      return;
    case 'heartbeats':
      send(first);
      return repeat(20, ': still here\n\n');
    case 'reset':
      send(first);
      await sleep(20);
      response.socket?.resetAndDestroy();
      return;
    case 'slow_drip':
      send(first);
      return repeat(fault.everyMs, encodeEvent(protocol.writeText('a')));
    case 'flood':
      send(first);
      return repeat(0, encodeEvent(protocol.writeText('a'.repeat(1024 * 1024))));
    case 'truncated_json':
      send(first);
      response.end('data: {"id": "resp_1", "typ\n\n');
      return;
    case 'truncated_stream':
      events.slice(0, -protocol.closingEvents).forEach(send);
      response.end();
      return;
  }
  events.forEach(send);
  response.end(protocol.sentinel === null ? '' : `data: ${protocol.sentinel}\n\n`);
}

/** An error answer in OpenAI's form: https://developers.openai.com/api/docs/guides/error-codes */
export function sendError({
  response,
  status,
  code,
  param,
  message = 'played by the model server',
  headers = {},
}: {
  response: ServerResponse;
  status: number;
  code?: string;
  param?: string;
  message?: string;
  headers?: Record<string, string>;
}): void {
  const type = status >= 500 ? 'server_error' : code === 'insufficient_quota' ? code : 'invalid_request_error';
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ error: { message, type, param: param ?? null, code: code ?? null } }));
}

/** The Responses API names its events, Chat Completions does not. */
const encodeEvent = (event: object) =>
  `${'type' in event ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`;
