import type { Request, RequestHandler, Response } from 'express';
import type { ApiKey } from '../store/api-keys.ts';
import type { Authenticate } from './authenticate.ts';
import { Problem } from './problem.ts';

/** A request to a project's route, with the key that proves whose project it is. */
export interface Call {
  request: Request;
  response: Response;
  apiKey: ApiKey;
  projectId: string;
}

export interface Reply {
  status: 200 | 201;
  headers?: Record<string, string>;
  body: object;
}

/** One answer for what is not there and for what belongs to others, so that nobody can find out which it is. */
export const notFound = () =>
  new Problem('not-found', 'There is no such project or job, or this API key does not belong to it.');

/** Makes a handler of a route below `/v2/agent/:projectId`, which is reached only with a key of that project. */
export function createProjectRoute(authenticate: Authenticate) {
  return (handle: (call: Call) => Promise<Reply>): RequestHandler =>
    async (request, response) => {
      const apiKey = await authenticate(request.get('authorization'));
      const projectId = apiKey.project_id;
      if (request.params.projectId !== projectId) throw notFound();
      const { status, headers = {}, body } = await handle({ request, response, apiKey, projectId });
      response.status(status).set(headers).set('Cache-Control', 'no-store').json(body);
    };
}
