import { listWebhookDeliveries } from '../../../store/lists/list-webhooks.ts';
import { ofWebhook } from '../description/parameters.ts';
import type { Endpoint } from '../endpoint.ts';
import { describePage, pageQuery, readNumberedPage } from '../requests/page-query.ts';
import { readQuery } from '../requests/read-query.ts';
import { readWebhook } from './read-webhook.ts';
import { deliverySchema, toDeliveryResource } from './webhook-resource.ts';

export const listDeliveriesEndpoint: Endpoint = {
  method: 'get',
  path: '/webhook/{webhookId}/deliveries',
  operation: {
    operationId: 'listWebhookDeliveries',
    summary: 'List the deliveries of a webhook',
    description: 'Newest first, with the answers. Old ones are removed.',
    tags: ['webhooks'],
    requestParams: { ...ofWebhook, query: pageQuery },
    responses: {
      200: describePage('deliveries', deliverySchema),
    },
  },
  createHandler:
    ({ cursors }) =>
    async (call) => {
      const asked = readQuery(call, pageQuery);
      return call.withDeadline(async (storeInTime) => {
        const { webhook_id: webhookId } = await readWebhook(storeInTime, call);
        const list = [call.projectId, 'deliveries', webhookId];
        const { items, nextCursor } = await readNumberedPage({ cursors, list, asked }, (page) =>
          listWebhookDeliveries(storeInTime.database, webhookId, page),
        );
        return { status: 200, body: { deliveries: items.map(toDeliveryResource), nextCursor } };
      });
    },
};
