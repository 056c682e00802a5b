import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Router } from 'express';
import { allowOnly } from '../allow-only.ts';
import { Problem } from '../problem.ts';

/** What `/metrics` shows, and to whom. */
export interface MetricsSource {
  contentType: string;
  /** Text in that type; never throws. */
  render: () => Promise<string>;
  /** Who sends this as a bearer may read; null: only programs on this machine may. */
  token: string | null;
  isLocal: (request: IncomingMessage) => boolean;
}

/**
 * `/metrics` for Prometheus. GitHub and callers reach this port too, and the load of the service and the names of its models are none of
 * their business: without a token only programs on this machine are answered, with one only those that send it.
 */
export function createMetricsRoute({ contentType, render, token, isLocal }: MetricsSource): Router {
  const router = Router();
  router
    .route('/metrics')
    .get(async (request, response) => {
      if (token === null && !isLocal(request)) throw hidden();
      if (token !== null && !isBearer(request.get('authorization'), token)) throw unauthorized();
      const text = await render();
      response.set({ 'Content-Type': contentType, 'Cache-Control': 'no-store' }).end(text);
    })
    .all(allowOnly('GET'));
  return router;
}

/** Takes a time that tells nothing about the token, not even its length. */
function isBearer(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(token));
}

const digest = (text: string) => createHash('sha256').update(text).digest();

const hidden = () =>
  new Problem(
    'not-found',
    'Metrics are shown to programs on the service’s own machine only, unless METRICS_TOKEN is set.',
  );

const unauthorized = () =>
  new Problem('unauthorized', 'Send the METRICS_TOKEN of this service as `Authorization: Bearer …`.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="pagewright metrics"' },
  });
