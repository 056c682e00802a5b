import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

export type Fields = Record<string, unknown>;

/** What a server sends: `events` as a stream, which `[DONE]` ends unless `isOpen`, or `json`, or `raw` bytes. */
export interface Reply {
  status?: number;
  events?: (object | string)[];
  isOpen?: boolean;
  json?: unknown;
  raw?: string;
  type?: string;
}

export interface Asked {
  url: string;
  headers: IncomingHttpHeaders;
  body: Fields;
}

/** Answers each request as `answer` says. `turn`: how many answers the conversation has. */
export type Answer = (asked: Asked & { turn: number; times: number }) => Reply;

const anyFields = z.record(z.string(), z.unknown());

/** A model server that speaks in a way of its own: nothing of what it sends or accepts is checked. */
export async function startDialectServer(answer: Answer) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const body = anyFields.parse(JSON.parse((await text(request)) || '{}'));
    const now = { url: request.url ?? '', headers: request.headers, body };
    asked.push(now);
    const reply = answer({ ...now, turn: countAnswers(body), times: asked.length });
    const { status = 200, events, isOpen = false, json, raw } = reply;
    const type = reply.type ?? (events ? 'text/event-stream' : 'application/json');
    response.writeHead(status, { 'content-type': type });
    if (raw !== undefined) response.end(raw);
    else if (events) {
      for (const event of events)
        response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
      response.end(isOpen ? '' : 'data: [DONE]\n\n');
    } else response.end(JSON.stringify(json));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`,
    asked,
    [Symbol.asyncDispose]: stop,
  };
}

export const listItems = ({ messages, input }: Fields): Fields[] => z.array(anyFields).parse(messages ?? input ?? []);

/** Items of one answer stand together. */
const countAnswers = (body: Fields): number =>
  listItems(body).filter((item, index, all) => isAnswer(item) && !isAnswer(all[index - 1] ?? {})).length;
const isAnswer = ({ role, type }: Fields) => role === 'assistant' || type === 'function_call' || type === 'reasoning';
