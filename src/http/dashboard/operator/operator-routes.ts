import type { Router } from 'express';
import { deleteSessionsOf } from '../../../store/tables/access/sessions.ts';
import { readOperations } from '../../../store/tables/figures.ts';
import { reviveMissedDelivery } from '../../../store/tables/repositories/redeliveries.ts';
import type { DashboardParts } from '../dashboard-parts.ts';
import { pageNotFound } from '../frame/page-refusal.ts';
import type { PageRoutes } from '../people/page-routes.ts';
import { doctorPage, operatorPage } from './operator-pages.ts';

/** For the logins in `OPERATORS`: the state of the service, and the people who are signed in. */
export function createOperatorRoutes(
  { describeInstallations, problems, examine, log }: DashboardParts,
  { forOperators }: PageRoutes,
): Router {
  const { router, get, post } = forOperators();
  get('/operator', async ({ signal, withStore }) => {
    const operations = await withStore(({ database }) => readOperations(database));
    const installations = await describeInstallations(signal).catch((error: unknown) => {
      log.warn({ err: error }, 'GitHub did not list the installations');
      return null;
    });
    return operatorPage({ operations, installations, problems: problems() });
  });
  // A form: a check of the model may cost a token.
  post('/operator/doctor', async ({ signal }) => doctorPage(await examine(signal)));
  post('/operator/people/:userId/end-sessions', async ({ request, person, withStore }) => {
    const userId = Number(request.params.userId);
    if (!Number.isSafeInteger(userId)) throw pageNotFound();
    const ended = await withStore(({ database }) => deleteSessionsOf(database, userId));
    log.info({ userId, ended, login: person.login }, 'an operator ended the sessions of a person');
    return { redirectTo: '/operator' };
  });
  post('/operator/deliveries/:deliveryId/redeliver', async ({ request, person, withStore }) => {
    const deliveryId = String(request.params.deliveryId);
    const isId = /^[\w-]{1,100}$/.test(deliveryId);
    if (!isId || !(await withStore(({ database }) => reviveMissedDelivery(database, deliveryId)))) throw pageNotFound();
    log.info({ deliveryId, login: person.login }, 'an operator requested a missed delivery again');
    return { redirectTo: '/operator' };
  });
  return router;
}
