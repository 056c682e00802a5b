import type { Router } from 'express';
import { SecretsKeyMissing } from '../../../config/secrets.ts';
import { isId } from '../../../ids.ts';
import { nameJobs } from '../../../jobs/list-job-rows.ts';
import { redeliver } from '../../../outbound/redeliver.ts';
import { testWebhook } from '../../../outbound/test-webhook.ts';
import { checkWebhookUrl, UrlRefused } from '../../../outbound/webhook-url.ts';
import { createWebhook, maxWebhooks, rotateSecret } from '../../../outbound/webhooks.ts';
import { listWebhookDeliveries, listWebhooks } from '../../../store/lists/list-webhooks.ts';
import { inTransaction } from '../../../store/store.ts';
import { defaultWebhookEvents } from '../../../store/tables/columns.ts';
import { findWebhookDelivery, type WebhookDelivery } from '../../../store/tables/webhooks/webhook-deliveries.ts';
import {
  changeWebhook,
  findWebhook,
  pauseWebhook,
  removeWebhook,
  resumeWebhook,
  type WebhookKey,
  type WebhookRow,
} from '../../../store/tables/webhooks/webhooks.ts';
import { createWebhookBody } from '../../api/webhooks/webhook-resource.ts';
import type { DashboardParts } from '../dashboard-parts.ts';
import { pageNotFound } from '../frame/page-refusal.ts';
import { readForm } from '../frame/read-form.ts';
import { linkTo } from '../frame/render-page.ts';
import type { PageRoutes, ProjectVisit } from '../people/page-routes.ts';
import { deliveryPage, type ShownWebhook, type TypedWebhook, webhookPage, webhooksPage } from './webhook-pages.ts';

const deliveriesPerPage = 20;

/** Creates, changes, pauses, tests, rotates and removes the project's webhooks, and shows their deliveries. */
export function createWebhookRoutes(parts: DashboardParts, { forMaintainers }: PageRoutes): Router {
  const { outbound, readBody, store, log } = parts;
  const { webhooks } = linkTo(':projectId');
  const one = `${webhooks}/:webhookId`;
  const { router, get, post } = forMaintainers();

  async function showAll(visit: ProjectVisit, refused: { typed?: string; problem?: string } = {}) {
    const { project, request, withStore } = visit;
    const { after } = request.query;
    const position = isId('whk', after) ? { after } : {};
    return withStore(async ({ database }) => {
      const { items, next } = await listWebhooks(database, project.project_id, { limit: 20, ...position });
      const listed: ShownWebhook[] = [];
      for (const webhook of items) {
        const page = await listWebhookDeliveries(database, webhook.webhook_id, { limit: 1 });
        listed.push({ webhook, last: page.items[0] });
      }
      return webhooksPage({ project, webhooks: listed, next, ...refused });
    });
  }

  async function showOne(
    visit: ProjectVisit,
    webhook: WebhookRow,
    shown: { typed?: TypedWebhook; problem?: string; secret?: string } = {},
  ) {
    const { project, request, withStore } = visit;
    const { after } = request.query;
    const position = typeof after === 'string' && /^\d{1,15}$/.test(after) ? { after: Number(after) } : {};
    return withStore(async ({ database }) => {
      const page = { limit: deliveriesPerPage, ...position };
      const { items: deliveries, next } = await listWebhookDeliveries(database, webhook.webhook_id, page);
      const names = await nameJobs(database, webhook.project_id, listJobIds(deliveries));
      return webhookPage({ project, webhook, deliveries, names, next, ...shown });
    });
  }

  /** Throws the page 404 if the project has no such webhook. */
  async function find(visit: ProjectVisit): Promise<WebhookRow> {
    const webhook = await visit.withStore(({ database }) => findWebhook(database, readKey(visit)));
    if (!webhook) throw pageNotFound();
    return webhook;
  }

  const parse = createWebhookBody(outbound);
  /** What was typed, checked also by DNS; or why it is refused. */
  async function check(typed: { url: string; events?: readonly string[] }) {
    const parsed = parse.safeParse(typed);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return {
        problem: `The ${String(issue?.path[0] ?? 'URL').replace('url', 'URL')} ${issue?.message ?? 'is not valid'}.`,
      };
    }
    try {
      await checkWebhookUrl(parsed.data.url, { ...outbound, withinMs: outbound.timing.resolveWithinMs });
      return parsed.data;
    } catch (error) {
      if (error instanceof UrlRefused) return { problem: `The URL ${error.message}.` };
      throw error;
    }
  }

  get(webhooks, (visit) => showAll(visit));
  post(webhooks, async (visit) => {
    const { project, person, withStore } = visit;
    const { project_id: projectId } = project;
    const typed = ((await readForm(visit, readBody)).get('url') ?? '').trim();
    const refuse = (problem: string) => showAll(visit, { typed, problem });
    const checked = await check({ url: typed });
    if ('problem' in checked) return refuse(checked.problem);
    const { url, events = defaultWebhookEvents } = checked;
    try {
      const created = await withStore(({ database }) =>
        createWebhook({ database, ...outbound }, { projectId, url, events }),
      );
      if (created.kind === 'too_many')
        return refuse(`This project has ${maxWebhooks} webhooks, which is the limit. Remove one first.`);
      log.info({ projectId, login: person.login }, 'a person created a webhook');
      return showOne(visit, created.webhook, { secret: created.secret });
    } catch (error) {
      if (!(error instanceof SecretsKeyMissing)) throw error;
      log.warn({ err: error }, 'the secret of a webhook could not be stored');
      return refuse('This service cannot store the secrets of webhooks. Ask its operator to set SECRETS_KEY.');
    }
  });
  get(one, async (visit) => showOne(visit, await find(visit)));
  post(`${one}/edit`, async (visit) => {
    const webhook = await find(visit);
    const form = await readForm(visit, readBody);
    const typed = { url: (form.get('url') ?? '').trim(), events: form.getAll('events') };
    const checked = await check(typed);
    if ('problem' in checked) return showOne(visit, webhook, { typed, problem: checked.problem });
    const { url, events = webhook.events } = checked;
    await visit.withStore(({ database }) =>
      changeWebhook(database, webhook.webhook_id, { url, events: JSON.stringify(events) }),
    );
    log.info({ webhookId: webhook.webhook_id, login: visit.person.login }, 'a person changed a webhook');
    return { redirectTo: addressOf(webhook) };
  });
  for (const verb of ['pause', 'resume'] as const)
    post(`${one}/${verb}`, async (visit) => {
      const webhook = await find(visit);
      const { login } = visit.person;
      const { webhook_id: webhookId } = webhook;
      await visit.withStore((storeInTime) =>
        verb === 'pause'
          ? pauseWebhook(storeInTime.database, webhookId, login)
          : inTransaction(storeInTime, async ({ tx, queue }) => {
              await resumeWebhook(tx, webhookId);
              await queue.send(tx, 'webhook', {});
            }),
      );
      log.info({ webhookId, verb, login }, 'a person paused or resumed a webhook');
      return { redirectTo: addressOf(webhook) };
    });
  post(`${one}/test`, async (visit) => {
    const webhook = await find(visit);
    const signal = AbortSignal.timeout(outbound.timing.postMs * 2);
    await testWebhook({ database: store.database, outbound }, webhook, signal);
    return { redirectTo: addressOf(webhook) };
  });
  get(`${one}/deliveries/:deliveryId`, async (visit) => {
    const webhook = await find(visit);
    const place = { webhookId: webhook.webhook_id, deliveryId: readDeliveryId(visit) };
    return visit.withStore(async ({ database }) => {
      const delivery = await findWebhookDelivery(database, place);
      if (!delivery) throw pageNotFound();
      const names = await nameJobs(database, webhook.project_id, listJobIds([delivery]));
      return deliveryPage({ project: visit.project, webhook, delivery, names });
    });
  });
  post(`${one}/deliveries/:deliveryId/redeliver`, async (visit) => {
    const key = readKey(visit);
    const deliveryId = readDeliveryId(visit);
    const { kind } = await visit.withStore((storeInTime) => redeliver(storeInTime, key, deliveryId));
    if (kind === 'unknown' || kind === 'test') throw pageNotFound();
    return { redirectTo: `${linkTo(key.projectId).webhooks}/${key.webhookId}/deliveries/${deliveryId}` };
  });
  post(`${one}/rotate`, async (visit) => {
    const key = readKey(visit);
    const rotated = await visit.withStore(({ database }) => rotateSecret({ database, ...outbound }, key));
    if (!rotated) throw pageNotFound();
    log.info({ webhookId: key.webhookId, login: visit.person.login }, 'a person rotated the secret of a webhook');
    return showOne(visit, rotated.webhook, { secret: rotated.secret });
  });
  post(`${one}/remove`, async (visit) => {
    const key = readKey(visit);
    if (!(await visit.withStore(({ database }) => removeWebhook(database, key)))) throw pageNotFound();
    log.info({ webhookId: key.webhookId, login: visit.person.login }, 'a person removed a webhook');
    return { redirectTo: linkTo(key.projectId).webhooks };
  });
  return router;
}

const listJobIds = (deliveries: readonly WebhookDelivery[]) => deliveries.flatMap(({ job_id: jobId }) => jobId ?? []);

const addressOf = ({ project_id: projectId, webhook_id: webhookId }: WebhookRow) =>
  `${linkTo(projectId).webhooks}/${webhookId}`;

function readKey({ request, project }: ProjectVisit): WebhookKey {
  const { webhookId } = request.params;
  if (!isId('whk', webhookId)) throw pageNotFound();
  return { projectId: project.project_id, webhookId };
}

function readDeliveryId({ request }: ProjectVisit): string {
  const { deliveryId } = request.params;
  if (!isId('whd', deliveryId)) throw pageNotFound();
  return deliveryId;
}
