import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Request, type Response, Router } from 'express';
import { isDatabaseReady } from '../store/postgres/availability.ts';
import type { Database } from '../store/postgres/database.ts';
import { allowOnly, HttpProblem } from './problem.ts';

/**
 * `/livez` fails only if the process does not answer. `/readyz` also fails while the service starts or stops and while its database is
 * unavailable: a restart would not help with those. `degraded` names other parts that do not work, such as the App's key: requests are still accepted.
 */
export function createHealthRoutes(options: {
  database: Database;
  isOpen: () => boolean;
  degraded: () => readonly string[];
}): Router {
  const { database, isOpen, degraded } = options;
  const router = Router();
  router
    .route('/livez')
    .get((_request, response) => void response.json({ status: 'ok' }))
    .all(allowOnly('GET'));
  router
    .route('/readyz')
    .get(async (_request, response) => {
      const checks = { database: await isDatabaseReady(database), running: isOpen() };
      const reasons = [
        ...(checks.database ? [] : ['the database does not answer']),
        ...(checks.running ? [] : ['it is starting or stopping']),
      ];
      if (reasons.length > 0) {
        throw new HttpProblem('unavailable', `The service is not ready: ${reasons.join(', and ')}.`, {
          extensions: { checks },
        });
      }
      response.json({ status: 'ok', checks, degraded: degraded() });
    })
    .all(allowOnly('GET'));
  router.route('/livez/stream').get(sendStream).all(allowOnly('GET'));
  return router;
}

const streamPauseMs = 500;

/** Two events with a pause: a client behind a proxy sees whether the proxy passes on the host, the scheme, and a stream without a delay. */
export async function sendStream(request: Request, response: Response): Promise<void> {
  const scheme = request.get('x-forwarded-proto') ?? request.protocol;
  response.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  response.write(`data: ${JSON.stringify({ host: request.get('host'), scheme })}\n\n`);
  await delay(streamPauseMs);
  response.end('data: {}\n\n');
}

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
