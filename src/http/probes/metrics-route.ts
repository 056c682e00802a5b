import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Router } from 'express';
import { allowOnly, HttpProblem } from '../problem.ts';

export interface MetricsSource {
  contentType: string;
  /** Never throws. */
  render: () => Promise<string>;
  /** The required bearer token; null: only local requests are answered. */
  token: string | null;
  isLocal: (request: IncomingMessage) => boolean;
}

/**
 * `/metrics` for Prometheus. The port is public, and metrics show the load and the models in use: requests need the token. Without one, only
 * a service without a public address answers, and only to this machine.
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

/** Compares digests, in constant time: nobody learns even the length of the token. */
function isBearer(authorization: string | undefined, token: string): boolean {
  const sent = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(sent), digest(token));
}

const digest = (text: string) => createHash('sha256').update(text).digest();

const hidden = () =>
  new HttpProblem(
    'not-found',
    'Set METRICS_TOKEN to read the metrics. Without it, only a service without PUBLIC_URL answers, to programs on its machine.',
  );

const unauthorized = () =>
  new HttpProblem('unauthorized', 'Send the service’s METRICS_TOKEN as `Authorization: Bearer …`.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="pagewright metrics"' },
  });
