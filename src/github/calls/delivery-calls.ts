import { z } from 'zod';
import type { Connection } from '../client/connection.ts';

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

/** Some of a list of deliveries, newest first; `next` is where it goes on, undefined at its end. */
export interface DeliveryPage {
  deliveries: HookDelivery[];
  next: string | undefined;
}

/** The webhook calls of the App; its face says what they promise. */
export function createDeliveryCalls({ connect }: { connect: (signal: AbortSignal) => Connection }) {
  return {
    /**
     * Every attempt of GitHub's since then to deliver a webhook to the App, newest first, page by page. GitHub keeps those of a few days.
     * Its own filter for failures is of no use: it finds the codes 400 to 599 only, and an attempt without an answer may have another one.
     * `from` is the `next` of a page that was read before.
     */
    async *listDeliveries({
      since,
      from,
      signal,
    }: {
      since: Date;
      from?: string | undefined;
      signal: AbortSignal;
    }): AsyncGenerator<DeliveryPage> {
      const connection = connect(signal);
      let cursor = from;
      do {
        const wanted = { per_page: 100, ...(cursor === undefined ? {} : { cursor }) };
        const { page, next } = await connection.read('list the webhook deliveries', async ({ rest }) => {
          const { data, headers } = await rest.apps.listWebhookDeliveries(wanted);
          return { page: z.array(hookDeliverySchema).parse(data), next: findNextCursor(headers.link) };
        });
        const recent = page.filter(({ deliveredAt }) => deliveredAt >= since);
        cursor = recent.length === 0 || recent.length < page.length ? undefined : next;
        yield { deliveries: recent, next: cursor };
      } while (cursor !== undefined);
    },

    /**
     * Asks GitHub to deliver once more what this attempt was to deliver, with the same `deliveryId`. Where GitHub no longer has the attempt,
     * or will not repeat it, nothing happens. Sent once; throws `AmbiguousWrite`.
     * https://docs.github.com/en/rest/apps/webhooks#redeliver-a-delivery-for-an-app-webhook
     */
    async redeliver(attemptId: string, signal: AbortSignal): Promise<void> {
      await connect(signal).write(
        `have attempt ${attemptId} to deliver a webhook repeated`,
        // Octokit's own method wants a number, and leaves a bigint out: https://github.com/octokit/endpoint.js/issues/546
        async ({ request }) =>
          void (await request(`POST /app/hook/deliveries/${encodeURIComponent(attemptId)}/attempts`)),
        { 404: () => undefined, 422: () => undefined },
      );
    },
  };
}

/** Deliveries have no page numbers: the link to the next page carries a cursor. */
function findNextCursor(link: string | undefined): string | undefined {
  const url = /<([^>]*)>;\s*rel="next"/.exec(link ?? '')?.[1];
  return url === undefined ? undefined : (new URL(url).searchParams.get('cursor') ?? undefined);
}
