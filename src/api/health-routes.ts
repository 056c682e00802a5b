import { Router } from 'express';
import { isDatabaseAnswering } from '../store/availability.ts';
import type { Database } from '../store/database.ts';
import { allowOnly } from './allow-only.ts';
import { Problem } from './problem.ts';
import { retryLater } from './to-problem.ts';

/**
 * `/livez`: the process answers. `/readyz`: it should be sent requests, which it should not be while it stops or its database is
 * away; that is nothing a restart would mend, so it is no matter of `/livez`.
 */
export function createHealthRoutes({
  database,
  isStopping,
}: {
  database: Database;
  isStopping: () => boolean;
}): Router {
  const router = Router();
  router
    .route('/livez')
    .get((_request, response) => void response.json({ status: 'ok' }))
    .all(allowOnly('GET'));
  router
    .route('/readyz')
    .get(async (_request, response) => {
      const checks = { database: await isDatabaseAnswering(database), running: !isStopping() };
      const failed = Object.entries(checks).flatMap(([name, isGood]) => (isGood ? [] : [name]));
      if (failed.length > 0) {
        throw new Problem('unavailable', `Not ready: ${failed.join(', ')}.`, {
          headers: retryLater,
          extensions: { checks },
        });
      }
      response.json({ status: 'ok', checks });
    })
    .all(allowOnly('GET'));
  return router;
}
