import { Router } from 'express';
import { SecretsKeyMissing } from '../../../config/secrets-key.ts';
import { isId } from '../../../ids.ts';
import { redeliver } from '../../../outbound/redeliver.ts';
import { testWebhook } from '../../../outbound/test-webhook.ts';
import { checkWebhookUrl, UrlRefused } from '../../../outbound/webhook-url.ts';
import { createWebhook, maxWebhooks, rotateSecret } from '../../../outbound/webhooks.ts';
import { listWebhookDeliveries, listWebhooks } from '../../../store/lists/list-webhooks.ts';
import { defaultWebhookEvents } from '../../../store/tables/columns.ts';
import { findWebhook, removeWebhook, type WebhookKey } from '../../../store/tables/webhooks/webhooks.ts';
import { createWebhookBody } from '../../api/webhooks/webhook-body.ts';
import type { DashboardParts } from '../dashboard-parts.ts';
import { notFound } from '../frame/page-refusal.ts';
import { linkTo } from '../frame/project-links.ts';
import { readForm } from '../frame/read-form.ts';
import type { PageRoutes, ProjectVisit } from '../people/page-routes.ts';
import { type ShownWebhook, webhooksPage } from './webhooks-page.ts';

const deliveriesShown = 5;

/** Creates, tests, rotates and removes the project's webhooks, and shows their deliveries. */
export function createWebhookRoutes(parts: DashboardParts, { forMaintainers }: PageRoutes): Router {
  const { outbound, readBody, store, log } = parts;
  const { webhooks } = linkTo(':projectId');
  const one = `${webhooks}/:webhookId`;
  const router = Router();

  async function show(
    visit: ProjectVisit,
    shown: Omit<Parameters<typeof webhooksPage>[0], 'project' | 'webhooks' | 'next'> = {},
  ) {
    const { project, request, withStore } = visit;
    const { after } = request.query;
    const position = isId('whk', after) ? { after } : {};
    const { items, next } = await withStore(({ database }) =>
      listWebhooks(database, project.project_id, { limit: 20, ...position }),
    );
    const listed: ShownWebhook[] = [];
    for (const webhook of items) {
      const page = await withStore(({ database }) =>
        listWebhookDeliveries(database, webhook.webhook_id, { limit: deliveriesShown }),
      );
      listed.push({ webhook, deliveries: page.items });
    }
    return webhooksPage({ project, webhooks: listed, next, ...shown });
  }

  router.get(
    webhooks,
    forMaintainers((visit) => show(visit)),
  );
  router.post(
    webhooks,
    forMaintainers(async (visit) => {
      const { project, person, withStore } = visit;
      const { project_id: projectId } = project;
      const typed = ((await readForm(visit, readBody)).get('url') ?? '').trim();
      const refuse = (problem: string) => show(visit, { typed, problem });
      const parsed = createWebhookBody(outbound).safeParse({ url: typed });
      if (!parsed.success) return refuse(`The URL ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
      const { url, events = defaultWebhookEvents } = parsed.data;
      try {
        await checkWebhookUrl(url, { ...outbound, withinMs: outbound.timing.resolveWithinMs });
        const created = await withStore(({ database }) =>
          createWebhook({ database, ...outbound }, { projectId, url, events }),
        );
        if (created.kind === 'too_many')
          return refuse(`This project has ${maxWebhooks} webhooks, which is the limit. Remove one first.`);
        log.info({ projectId, login: person.login }, 'a person created a webhook');
        return show(visit, { secret: created.secret });
      } catch (error) {
        if (error instanceof UrlRefused) return refuse(`The URL ${error.message}.`);
        if (!(error instanceof SecretsKeyMissing)) throw error;
        log.warn({ err: error }, 'the secret of a webhook could not be stored');
        return refuse('This service cannot store the secrets of webhooks. Ask its operator to set SECRETS_KEY.');
      }
    }),
  );
  router.post(
    `${one}/test`,
    forMaintainers(async (visit) => {
      const key = readKey(visit);
      const webhook = await visit.withStore(({ database }) => findWebhook(database, key));
      if (!webhook) throw notFound();
      await testWebhook(
        { database: store.database, outbound },
        webhook,
        AbortSignal.timeout(outbound.timing.postMs * 2),
      );
      return { redirectTo: linkTo(key.projectId).webhooks };
    }),
  );
  router.post(
    `${one}/deliveries/:deliveryId/redeliver`,
    forMaintainers(async (visit) => {
      const key = readKey(visit);
      const { deliveryId } = visit.request.params;
      if (!isId('whd', deliveryId)) throw notFound();
      const { kind } = await visit.withStore((storeInTime) => redeliver(storeInTime, key, deliveryId));
      if (kind === 'unknown' || kind === 'test') throw notFound();
      return { redirectTo: linkTo(key.projectId).webhooks };
    }),
  );
  router.post(
    `${one}/rotate`,
    forMaintainers(async (visit) => {
      const key = readKey(visit);
      const rotated = await visit.withStore(({ database }) => rotateSecret({ database, ...outbound }, key));
      if (!rotated) throw notFound();
      log.info({ webhookId: key.webhookId, login: visit.person.login }, 'a person rotated the secret of a webhook');
      return show(visit, { secret: rotated.secret });
    }),
  );
  router.post(
    `${one}/remove`,
    forMaintainers(async (visit) => {
      const key = readKey(visit);
      if (!(await visit.withStore(({ database }) => removeWebhook(database, key)))) throw notFound();
      log.info({ webhookId: key.webhookId, login: visit.person.login }, 'a person removed a webhook');
      return { redirectTo: linkTo(key.projectId).webhooks };
    }),
  );
  return router;
}

function readKey({ request, project }: ProjectVisit): WebhookKey {
  const { webhookId } = request.params;
  if (!isId('whk', webhookId)) throw notFound();
  return { projectId: project.project_id, webhookId };
}
