import { isId } from '../../../ids.ts';
import { redeliver } from '../../../outbound/redeliver.ts';
import { HttpProblem } from '../../problem.ts';
import { describeResponse } from '../description/responses.ts';
import type { Endpoint } from '../endpoint.ts';
import { resourceNotFound } from '../requests/project-route.ts';
import { readWebhookKey } from './read-webhook.ts';
import { deliverySchema, toDeliveryResource } from './webhook-resource.ts';

export const redeliverEndpoint: Endpoint = {
  method: 'post',
  path: '/webhook/{webhookId}/deliveries/{deliveryId}/redeliver',
  operationId: 'redeliverWebhook',
  summary: 'Send a delivery again',
  description:
    'Sends a `delivered` or `failed` delivery again, with the same `webhook-id` and body and a full set of retries. A waiting delivery does not change.',
  tag: 'webhooks',
  answers: {
    200: describeResponse('The delivery, which waits to be sent.', deliverySchema),
  },
  problems: ['webhook-disabled'],
  createHandler: () => (call) =>
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
