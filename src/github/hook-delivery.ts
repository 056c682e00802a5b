import { z } from 'zod';

/**
 * One attempt of GitHub's to deliver a webhook. `deliveryId` is what arrives as `X-GitHub-Delivery`, the same for every attempt; `id` is the
 * attempt's own. `isSuccess`: the service answered 2xx or 3xx.
 */
export interface HookDelivery {
  id: number;
  deliveryId: string;
  deliveredAt: Date;
  isSuccess: boolean;
  isRedelivery: boolean;
  event: string;
  action: string | null;
}

/** https://docs.github.com/en/rest/apps/webhooks#list-deliveries-for-an-app-webhook */
export const hookDeliverySchema = z
  .object({
    id: z.number(),
    guid: z.string(),
    delivered_at: z.coerce.date(),
    redelivery: z.boolean(),
    status_code: z.number(),
    event: z.string(),
    action: z.string().nullish(),
  })
  .transform(
    (given): HookDelivery => ({
      id: given.id,
      deliveryId: given.guid,
      deliveredAt: given.delivered_at,
      isSuccess: given.status_code >= 200 && given.status_code < 400,
      isRedelivery: given.redelivery,
      event: given.event,
      action: given.action ?? null,
    }),
  );
