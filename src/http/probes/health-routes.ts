import { Router } from 'express';
import { isDatabaseReady } from '../../store/postgres/availability.ts';
import type { Database } from '../../store/postgres/database.ts';
import { allowOnly } from '../allow-only.ts';
import { Problem } from '../problem.ts';
import { retryLater } from '../to-problem.ts';

/**
 * `/livez` says that the process answers, `/readyz` that it should be sent requests: not while it starts or stops, nor while its database
 * is away. A restart would mend none of that, so `/livez` ignores it.
 */
export function createHealthRoutes({ database, isOpen }: { database: Database; isOpen: () => boolean }): Router {
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
        ...(checks.database ? [] : ['its database does not answer']),
        ...(checks.running ? [] : ['it is starting or stopping']),
      ];
      if (reasons.length > 0) {
        throw new Problem('unavailable', `The service is not ready: ${reasons.join(', and ')}.`, {
          headers: retryLater,
          extensions: { checks },
        });
      }
      response.json({ status: 'ok', checks });
    })
    .all(allowOnly('GET'));
  return router;
}
