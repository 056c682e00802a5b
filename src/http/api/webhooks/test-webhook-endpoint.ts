import { testWebhook } from '../../../outbound/test-webhook.ts';
import { HttpProblem } from '../../problem.ts';
import { describeResponse } from '../description/responses.ts';
import type { Endpoint } from '../endpoint.ts';
import { readWebhook } from './read-webhook.ts';
import { deliverySchema, toDeliveryResource } from './webhook-resource.ts';

export const testWebhookEndpoint: Endpoint = {
  method: 'post',
  path: '/webhook/{webhookId}/test',
  operationId: 'testWebhook',
  summary: 'Test a webhook',
  description:
    'Sends one signed POST of the type `webhook.test` now, and waits for its answer. A success enables the webhook again.',
  tag: 'webhooks',
  answers: {
    200: describeResponse('The result of the test: `delivered` or `failed`.', deliverySchema),
  },
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
    {
      headers: { 'Retry-After': '10' },
    },
  );
