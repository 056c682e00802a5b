import { Router } from 'express';
import { isDatabaseReady } from '../../store/postgres/availability.ts';
import type { Database } from '../../store/postgres/database.ts';
import { allowOnly, HttpProblem, retryLater } from '../problem.ts';
import { sendStream } from './send-stream.ts';

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
          headers: retryLater,
          extensions: { checks },
        });
      }
      response.json({ status: 'ok', checks, degraded: degraded() });
    })
    .all(allowOnly('GET'));
  router.route('/livez/stream').get(sendStream).all(allowOnly('GET'));
  return router;
}
