import type { RequestHandler } from 'express';
import { Problem } from './problem.ts';

/** Ends a route: answers OPTIONS, and refuses every method that the route does not have. */
export function allowOnly(...methods: ('GET' | 'POST')[]): RequestHandler {
  const allow = [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(', ');
  return (request, response) => {
    if (request.method !== 'OPTIONS') {
      throw new Problem('method-not-allowed', `This path takes ${allow}.`, { headers: { Allow: allow } });
    }
    response.status(204).set('Allow', allow).end();
  };
}
