import type { IncomingHttpHeaders } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { verifyKey } from '../../../keys/project-keys.ts';
import type { Log } from '../../../log.ts';
import { withDeadline } from '../../../store/postgres/availability.ts';
import type { Database } from '../../../store/postgres/database.ts';
import type { Store } from '../../../store/store.ts';
import type { UsableApiKey } from '../../../store/tables/access/api-keys.ts';
import { realTiming } from '../../../timing.ts';
import type { ReadBody, ReceivedBody } from '../../bodies/read-body.ts';
import { HttpProblem } from '../../problem.ts';

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

/** What an API key opens. */
export interface KeyAccess {
  apiKey: UsableApiKey;
  projectId: string;
  /** Runs the request's queries within the time that is left for them, and rolls them back when that time is up. */
  withDeadline: <T>(work: (store: Store) => Promise<T>) => Promise<T>;
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

/** Works with what the key opens. Throws the problem 401 if the key is not valid. */
export async function useKey<T>(
  { database, queue }: Store,
  key: string,
  work: (access: KeyAccess) => Promise<T>,
): Promise<T> {
  const query = limitQueryTime(database);
  const { working } = await query(async (connection) => {
    const apiKey = await verifyKey(connection, key);
    if (!apiKey) throw unauthorized(', error="invalid_token"');
    const shared = shareUntilIdle(connection);
    const withDeadline: KeyAccess['withDeadline'] = (workInTime) => {
      const onStore = (at: Database) => workInTime({ database: at, queue });
      return shared.use(onStore) ?? query(onStore);
    };
    const working = work({ apiKey, projectId: apiKey.project_id, withDeadline });
    // It is awaited below, after the connection is released.
    working.catch(() => {});
    await shared.idle();
    return { working };
  });
  return working;
}

/** Nobody reads it. */
const callerLeft = () =>
  new HttpProblem('unavailable', 'The connection was closed before the answer. Send the request again.');

function signalClose(response: Response): AbortSignal {
  const left = new AbortController();
  response.once('close', () => left.abort(callerLeft()));
  return left.signal;
}

type Query = <T>(work: (database: Database) => Promise<T>) => Promise<T>;

/** Limits the total time of one request's queries; throws `DatabaseTimeout` when it is used up. Other waiting, such as for the body, is not counted. */
function limitQueryTime(database: Database): Query {
  let leftMs = realTiming.http.queryMs;
  return async (work) => {
    const startedAt = performance.now();
    try {
      return await withDeadline(database, { withinMs: leftMs }, work);
    } finally {
      leftMs -= performance.now() - startedAt;
    }
  };
}

/** Runs queries until `idle` is called: a request that waits for anything else, such as its body, must not occupy a connection. */
function shareUntilIdle(connection: Database) {
  let isShared = true;
  let inUse: Promise<unknown> | undefined;
  return {
    /** Undefined: the connection is in use, or no longer shared. */
    use<T>(work: (database: Database) => Promise<T>): Promise<T> | undefined {
      if (!isShared || inUse !== undefined) return undefined;
      const working = work(connection);
      inUse = working;
      return working;
    },
    /** Resolves when the work that has begun is done, or has failed. */
    async idle(): Promise<void> {
      isShared = false;
      await inUse?.catch(() => {});
    },
  };
}

/** Throws the problem 401 if the request has none. */
export function readApiKey(request: Request): string {
  const key = /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '')?.[1];
  if (key === undefined) throw unauthorized('');
  return key;
}

/** The same 401 for every kind of bad key: it must not help anybody to guess one. https://www.rfc-editor.org/rfc/rfc6750#section-3 */
const unauthorized = (error: '' | ', error="invalid_token"') =>
  new HttpProblem('unauthorized', 'Send a valid API key of this project as `Authorization: Bearer pagewright_…`.', {
    headers: { 'WWW-Authenticate': `Bearer realm="pagewright"${error}` },
  });

/** Whether the caller wants `type` rather than `usual`: `usual` also wins if both are as good, or the caller wants neither. */
export function prefersType(request: ApiRequest, type: string, usual: string): boolean {
  // With a charset, as some clients send it, it is another type for the negotiation.
  const names = [usual, type].flatMap((name) => [name, `${name};charset=utf-8`]);
  return String(request.accepts(names)).startsWith(type);
}
