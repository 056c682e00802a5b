import { isId } from '../../../ids.ts';
import { redeliver } from '../../../outbound/redeliver.ts';
import { testWebhook } from '../../../outbound/test-webhook.ts';
import { rotateSecret } from '../../../outbound/webhooks.ts';
import { listWebhookDeliveries, listWebhooks } from '../../../store/lists/list-webhooks.ts';
import type { Store } from '../../../store/store.ts';
import {
  findWebhook,
  removeWebhook,
  type WebhookKey,
  type WebhookRow,
} from '../../../store/tables/webhooks/webhooks.ts';
import { HttpProblem } from '../../problem.ts';
import { describeEmptyResponse, describeResponse } from '../description/responses.ts';
import type { Endpoint } from '../endpoint.ts';
import { createListHandler, describePage, pageQuery, readPageQuery } from '../requests/lists.ts';
import { type Call, resourceNotFound } from '../requests/project-route.ts';
import { readQuery } from '../requests/read-request.ts';
import { createWebhookEndpoint, withSecretsKey } from './create-webhook-endpoint.ts';
import {
  deliverySchema,
  secretWebhookSchema,
  toDeliveryResource,
  toWebhookResource,
  webhookSchema,
} from './webhook-resource.ts';

const listWebhooksEndpoint: Endpoint = {
  method: 'get',
  path: '/webhook',
  operationId: 'listWebhooks',
  summary: 'List the webhooks of the project',
  description: 'Newest first.',
  query: pageQuery,
  answers: { 200: describePage('webhooks', webhookSchema) },
  handle: async (call, { cursors }) => {
    const { projectId } = call;
    const list = [projectId, 'webhooks'];
    const asked = readQuery(call, pageQuery);
    return call.withDeadline(async ({ database }) => {
      const { items, nextCursor } = await readPageQuery({ cursors, list, asked }, (page) =>
        listWebhooks(database, projectId, page),
      );
      return { status: 200, body: { webhooks: items.map(toWebhookResource), nextCursor } };
    });
  },
};

const getWebhookEndpoint: Endpoint = {
  method: 'get',
  path: '/webhook/{webhookId}',
  operationId: 'getWebhook',
  summary: 'Get a webhook',
  answers: { 200: describeResponse('The webhook.', webhookSchema) },
  handle: (call) =>
    call.withDeadline(async (storeInTime) => ({
      status: 200,
      body: toWebhookResource(await readWebhook(storeInTime, call)),
    })),
};

const removeWebhookEndpoint: Endpoint = {
  method: 'delete',
  path: '/webhook/{webhookId}',
  operationId: 'removeWebhook',
  summary: 'Remove a webhook',
  description: 'Waiting deliveries are not sent. A POST that was sent before may still arrive.',
  answers: { 204: describeEmptyResponse('It is removed.') },
  handle: (call) =>
    call.withDeadline(async ({ database }) => {
      if (!(await removeWebhook(database, readWebhookKey(call)))) throw resourceNotFound();
      return { status: 204 };
    }),
};

const rotateSecretEndpoint: Endpoint = {
  method: 'post',
  path: '/webhook/{webhookId}/rotate',
  operationId: 'rotateWebhookSecret',
  summary: 'Rotate the secret of a webhook',
  description: 'For 24 hours, POSTs carry two signatures: of the new secret and of the previous one.',
  answers: { 200: describeResponse('The webhook, with its new secret.', secretWebhookSchema) },
  problems: ['webhooks-not-configured'],
  handle: (call, { outbound }) =>
    withSecretsKey(call, () =>
      call.withDeadline(async ({ database }) => {
        const rotated = await rotateSecret({ database, ...outbound }, readWebhookKey(call));
        if (!rotated) throw resourceNotFound();
        const { webhook, secret } = rotated;
        return { status: 200, body: { ...toWebhookResource(webhook), secret } };
      }),
    ),
};

const listDeliveriesEndpoint: Endpoint = {
  method: 'get',
  path: '/webhook/{webhookId}/deliveries',
  operationId: 'listWebhookDeliveries',
  summary: 'List the deliveries of a webhook',
  description: 'Newest first, with the answers. Old ones are removed.',
  query: pageQuery,
  answers: { 200: describePage('deliveries', deliverySchema) },
  handle: createListHandler({
    name: 'deliveries',
    find: async (store, call) => (await readWebhook(store, call)).webhook_id,
    async read(database, webhookId, page) {
      const { items, next } = await listWebhookDeliveries(database, webhookId, page);
      return { body: { deliveries: items.map(toDeliveryResource) }, next };
    },
  }),
};

const redeliverEndpoint: Endpoint = {
  method: 'post',
  path: '/webhook/{webhookId}/deliveries/{deliveryId}/redeliver',
  operationId: 'redeliverWebhook',
  summary: 'Send a delivery again',
  description:
    'Sends a `delivered` or `failed` delivery again, with the same `webhook-id` and body and a full set of retries. A waiting delivery does not change.',
  answers: { 200: describeResponse('The delivery, which waits to be sent.', deliverySchema) },
  problems: ['webhook-disabled'],
  handle: (call) =>
    call.withDeadline(async (storeInTime) => {
      const { deliveryId } = call.request.params;
      if (!isId('whd', deliveryId)) throw resourceNotFound();
      const result = await redeliver(storeInTime, readWebhookKey(call), deliveryId);
      switch (result.kind) {
        case 'unknown':
          throw resourceNotFound();
        case 'test':
          throw new HttpProblem('invalid-request', 'A test is sent once. Send a new one: POST …/test.');
        case 'disabled':
          throw new HttpProblem(
            'webhook-disabled',
            'The webhook is disabled. Send a test: a success enables it again.',
          );
        case 'repeated':
        case 'waiting':
          return { status: 200, body: toDeliveryResource(result.delivery) };
      }
    }),
};

const testWebhookEndpoint: Endpoint = {
  method: 'post',
  path: '/webhook/{webhookId}/test',
  operationId: 'testWebhook',
  summary: 'Test a webhook',
  description:
    'Sends one signed POST of the type `webhook.test` now, and waits for its answer. A success enables the webhook again.',
  answers: { 200: describeResponse('The result of the test: `delivered` or `failed`.', deliverySchema) },
  problems: ['webhook-test-running'],
  createHandler({ store: { database }, outbound }) {
    const running = new Set<string>();
    return async (call) => {
      const webhook = await call.withDeadline((storeInTime) => readWebhook(storeInTime, call));
      const { webhook_id: webhookId } = webhook;
      if (running.has(webhookId)) throw testRunning();
      running.add(webhookId);
      try {
        const delivery = await testWebhook({ database, outbound }, webhook, new AbortController().signal);
        return { status: 200, body: toDeliveryResource(delivery) };
      } finally {
        running.delete(webhookId);
      }
    };
  },
};

const testRunning = () =>
  new HttpProblem(
    'webhook-test-running',
    'A test of this webhook is waiting for its answer. Try again in 10 seconds.',
    { headers: { 'Retry-After': '10' } },
  );

export const webhookEndpoints: readonly Endpoint[] = [
  createWebhookEndpoint,
  listWebhooksEndpoint,
  getWebhookEndpoint,
  removeWebhookEndpoint,
  testWebhookEndpoint,
  rotateSecretEndpoint,
  listDeliveriesEndpoint,
  redeliverEndpoint,
];

/** The webhook of the path, which may not exist. Throws the problem 404 for an invalid id. */
function readWebhookKey({ request, projectId }: Call): WebhookKey {
  const { webhookId } = request.params;
  if (!isId('whk', webhookId)) throw resourceNotFound();
  return { projectId, webhookId };
}

/** Throws the problem 404 if the project has no such webhook. */
async function readWebhook({ database }: Store, call: Call): Promise<WebhookRow> {
  const webhook = await findWebhook(database, readWebhookKey(call));
  if (!webhook) throw resourceNotFound();
  return webhook;
}
