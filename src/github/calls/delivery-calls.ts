import { z } from 'zod';
import type { GitHubConnection } from '../client/connection.ts';

/** https://docs.github.com/en/rest/apps/webhooks#list-deliveries-for-an-app-webhook */
const hookDeliverySchema = z
  .object({
    // Octokit parses a number that would lose digits as a bigint: https://github.com/octokit/request.js/issues/797
    id: z.union([z.number(), z.bigint()]),
    guid: z.string(),
    delivered_at: z.coerce.date(),
    status_code: z.number(),
  })
  .transform((attempt) => ({
    attemptId: String(attempt.id),
    /** `X-GitHub-Delivery`, the same for every attempt. */
    deliveryId: attempt.guid,
    deliveredAt: attempt.delivered_at,
    /** 0: no answer. */
    status: attempt.status_code,
    /** A proxy with a login or maintenance page answers 302 or 200. */
    isSuccess: attempt.status_code === 202,
  }));

export type HookDelivery = z.output<typeof hookDeliverySchema>;

export function createDeliveryCalls({ connect }: { connect: (signal: AbortSignal) => GitHubConnection }) {
  return {
    /** Newest first; GitHub keeps a few days. `from` is the `next` of an earlier page. GitHub's filter for failures finds only the codes 400 to
     * 599, and misses attempts without an answer. */
    async *listDeliveries(options: {
      since: Date;
      from?: string | undefined;
      signal: AbortSignal;
    }): AsyncGenerator<{ deliveries: HookDelivery[]; next: string | undefined }> {
      const { since, from, signal } = options;
      const connection = connect(signal);
      let cursor = from;
      do {
        const query = { per_page: 100, ...(cursor === undefined ? {} : { cursor }) };
        const { page, next } = await connection.read('list the webhook deliveries', async ({ rest }) => {
          const { data, headers } = await rest.apps.listWebhookDeliveries(query);
          return { page: z.array(hookDeliverySchema).parse(data), next: findNextCursor(headers.link) };
        });
        const recent = page.filter(({ deliveredAt }) => deliveredAt >= since);
        cursor = recent.length === 0 || recent.length < page.length ? undefined : next;
        yield { deliveries: recent, next: cursor };
      } while (cursor !== undefined);
    },

    /** Does nothing where GitHub no longer has the attempt. https://docs.github.com/en/rest/apps/webhooks#redeliver-a-delivery-for-an-app-webhook */
    async redeliver(attemptId: string, signal: AbortSignal): Promise<void> {
      await connect(signal).write(
        `redeliver the webhook of attempt ${attemptId}`,
        // Octokit's own method drops a bigint: https://github.com/octokit/endpoint.js/issues/546
        async ({ request }) =>
          void (await request(`POST /app/hook/deliveries/${encodeURIComponent(attemptId)}/attempts`)),
        { 404: () => undefined, 422: () => undefined },
      );
    },
  };
}

function findNextCursor(link: string | undefined): string | undefined {
  const url = /<([^<>]*)>;\s*rel="next"/.exec(link ?? '')?.[1];
  return url === undefined ? undefined : (new URL(url).searchParams.get('cursor') ?? undefined);
}
