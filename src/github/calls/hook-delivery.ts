import { z } from 'zod';

/**
 * One attempt of GitHub's to deliver a webhook. `deliveryId` is what arrives as `X-GitHub-Delivery`, the same for every attempt.
 * `attemptId` is the attempt's own, a number as text: it may have more digits than a JavaScript number can hold
 * (https://github.com/octokit/request.js/issues/797). `isSuccess`: the service answered 202, by which it says that the delivery is stored.
 * A proxy in front of it that sends people to sign in, or says that the service is being repaired, answers 302 or 200.
 */
export interface HookDelivery {
  attemptId: string;
  deliveryId: string;
  deliveredAt: Date;
  isSuccess: boolean;
}

/** https://docs.github.com/en/rest/apps/webhooks#list-deliveries-for-an-app-webhook */
export const hookDeliverySchema = z
  .object({
    // Octokit reads a number that would lose digits as a bigint.
    id: z.union([z.number(), z.bigint()]),
    guid: z.string(),
    delivered_at: z.coerce.date(),
    status_code: z.number(),
  })
  .transform(
    (given): HookDelivery => ({
      attemptId: String(given.id),
      deliveryId: given.guid,
      deliveredAt: given.delivered_at,
      isSuccess: given.status_code === 202,
    }),
  );
