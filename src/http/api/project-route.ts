import type { Request, RequestHandler, Response } from 'express';
import type { Store } from '../../store/store.ts';
import type { UsableApiKey } from '../../store/tables/api-keys.ts';
import { Problem } from '../problem.ts';
import { authenticate } from './authenticate.ts';
import { createDatabaseTime } from './database-time.ts';

/** A request to a project's route, with the key that proves whose project it is. */
export interface Call {
  request: Request;
  response: Response;
  apiKey: UsableApiKey;
  projectId: string;
  /** Does all that the request asks of the database, or nothing: what takes longer than a caller waits is not done at all. */
  withDeadline: <T>(work: (store: Store) => Promise<T>) => Promise<T>;
}

export interface Reply {
  status: 200 | 201;
  headers?: Record<string, string>;
  body: object;
}

/** One answer both for what does not exist and for what belongs to others, so that nobody can tell which it is. */
export const notFound = () =>
  new Problem('not-found', 'There is no such project or job, or this API key does not belong to it.');

/** Makes a handler of a route below `/v2/agent/:projectId`, which is reached only with a key of that project. */
export function createProjectRoute({ database, queue }: Store) {
  return (handle: (call: Call) => Promise<Reply>): RequestHandler =>
    async (request, response) => {
      const ask = createDatabaseTime(database);
      const apiKey = await authenticate(request.get('authorization'), ask);
      const projectId = apiKey.project_id;
      if (request.params.projectId !== projectId) throw notFound();
      const {
        status,
        headers = {},
        body,
      } = await handle({
        request,
        response,
        apiKey,
        projectId,
        withDeadline: (work) => ask((connection) => work({ database: connection, queue })),
      });
      response.status(status).set(headers).set('Cache-Control', 'no-store').json(body);
    };
}
