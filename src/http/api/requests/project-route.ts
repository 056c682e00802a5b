import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler, Response } from 'express';
import type { Log } from '../../../log.ts';
import type { Store } from '../../../store/store.ts';
import type { ReadBody, ReceivedBody } from '../../bodies/read-body.ts';
import { HttpProblem } from '../../problem.ts';
import { type KeyAccess, readApiKey, useKey } from './use-key.ts';

/** What a handler sees of a request, whichever way it came. Those of express have this shape. */
export interface ApiRequest {
  params: Record<string, string | string[] | undefined>;
  query: Record<string, unknown>;
  headers: IncomingHttpHeaders;
  accepts: (types: string[]) => string | false;
  log: Log;
}

/** A request to a project's route, with an API key of that project. */
export interface Call extends KeyAccess {
  request: ApiRequest;
  readBody: (options: { maxBytes: number }) => Promise<ReceivedBody>;
  /** Aborts when the caller leaves, and when it has its answer. */
  left: AbortSignal;
}

export interface JsonReply {
  status: 200 | 201;
  headers?: Record<string, string>;
  body: object;
}

export interface TextReply {
  status: 200;
  headers?: Record<string, string>;
  contentType: string;
  text: string;
}

/** `stream` writes the whole response, and ends with it. */
export type ApiReply = JsonReply | TextReply | { status: 204 } | { stream: (response: Response) => Promise<void> };

/** One answer for missing resources and for those of other projects, so that callers cannot tell them apart. */
export const resourceNotFound = () =>
  new HttpProblem(
    'not-found',
    'No such project, job, run, automation or webhook, or this API key does not have access to it.',
  );

/** Makes handlers for routes below `/v2/agent/:projectId`. They run only for a valid API key of that project. */
export function createProjectRoute({ store, readBody }: { store: Store; readBody: ReadBody }) {
  return (handle: (call: Call) => Promise<ApiReply>): RequestHandler =>
    async (request, response) => {
      const reply = await useKey(store, readApiKey(request), async (access) => {
        if (request.params.projectId !== access.projectId) throw resourceNotFound();
        return handle({
          ...access,
          request,
          readBody: (options) => readBody(request, response, options),
          left: signalClose(response),
        });
      });
      if ('stream' in reply) return reply.stream(response);
      if (reply.status === 204) return void response.status(204).set('Cache-Control', 'no-store').end();
      response
        .status(reply.status)
        .set(reply.headers ?? {})
        .set('Cache-Control', 'no-store');
      if ('text' in reply) response.type(reply.contentType).send(reply.text);
      else response.json(reply.body);
    };
}

/** Nobody reads it. */
const callerLeft = () =>
  new HttpProblem('unavailable', 'The connection was closed before the answer. Send the request again.');

function signalClose(response: Response): AbortSignal {
  const left = new AbortController();
  response.once('close', () => left.abort(callerLeft()));
  return left.signal;
}

/** Whether the caller wants `type` rather than `usual`: `usual` also wins if both are as good, or the caller wants neither. */
export function prefersType(request: ApiRequest, type: string, usual: string): boolean {
  // With a charset, as some clients send it, it is another type for the negotiation.
  const names = [usual, type].flatMap((name) => [name, `${name};charset=utf-8`]);
  return String(request.accepts(names)).startsWith(type);
}
