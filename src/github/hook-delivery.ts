import { z } from 'zod';

/**
 * One attempt of GitHub's to deliver a webhook. `deliveryId` is what arrives as `X-GitHub-Delivery`, the same for every attempt; `id` is the
 * attempt's own, a number as text: they are longer than a JavaScript number can hold (https://github.com/octokit/request.js/issues/797).
 * `isSuccess`: the service answered 202, which is its word that the delivery is stored; what stands before it, and sends people to sign in or says
 * that it is being repaired, answers 302 and 200.
 */
export interface HookDelivery {
  id: string;
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
    // Octokit reads a number that would lose digits as a bigint.
    id: z.union([z.number(), z.bigint()]),
    guid: z.string(),
    delivered_at: z.coerce.date(),
    redelivery: z.boolean(),
    status_code: z.number(),
    event: z.string(),
    action: z.string().nullish(),
  })
  .transform(
    (given): HookDelivery => ({
      id: String(given.id),
      deliveryId: given.guid,
      deliveredAt: given.delivered_at,
      isSuccess: given.status_code === 202,
      isRedelivery: given.redelivery,
      event: given.event,
      action: given.action ?? null,
    }),
  );
