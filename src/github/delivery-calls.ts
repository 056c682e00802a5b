import { z } from 'zod';
import type { Connection } from './connection.ts';
import { type HookDelivery, hookDeliverySchema } from './hook-delivery.ts';

/** The webhook calls of the App; its face says what they promise. */
export function createDeliveryCalls({ connect }: { connect: (signal?: AbortSignal) => Connection }) {
  return {
    /** Every attempt of GitHub's to deliver a webhook to the App since then, newest first. GitHub keeps those of a few days. */
    async listDeliveries({ since, signal }: { since: Date; signal?: AbortSignal }): Promise<HookDelivery[]> {
      return connect(signal).read('list the webhook deliveries', async ({ rest }) => {
        const all: HookDelivery[] = [];
        let cursor: string | undefined;
        do {
          const wanted = { per_page: 100, ...(cursor === undefined ? {} : { cursor }) };
          const answer = await rest.apps.listWebhookDeliveries(wanted);
          const page = z.array(hookDeliverySchema).parse(answer.data);
          const recent = page.filter(({ deliveredAt }) => deliveredAt >= since);
          all.push(...recent);
          cursor = recent.length === 0 || recent.length < page.length ? undefined : findNextCursor(answer.headers.link);
        } while (cursor !== undefined);
        return all;
      });
    },

    /**
     * Asks GitHub to deliver it once more, with the same `deliveryId`; one that GitHub no longer has, or will not repeat, is left alone. Sent
     * once; throws `AmbiguousWrite`. https://docs.github.com/en/rest/apps/webhooks#redeliver-a-delivery-for-an-app-webhook
     */
    async redeliver(id: number, signal?: AbortSignal): Promise<void> {
      await connect(signal).write(
        `have webhook delivery ${id} repeated`,
        async ({ rest }) => void (await rest.apps.redeliverWebhookDelivery({ delivery_id: id })),
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
