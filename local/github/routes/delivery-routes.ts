import { notFound } from '../api/api-error.ts';
import type { Delivery } from '../events/webhook-delivery.ts';
import type { Webhooks } from '../events/webhooks.ts';
import { numberParam, ok, onApi, type Route } from './route.ts';

/** Lists deliveries and redelivers them: https://docs.github.com/en/rest/apps/webhooks */
export const deliveryRoutes = (webhooks: Webhooks): Route[] => {
  const find = (id: number): Delivery => {
    const delivery = attempted(webhooks).find((candidate) => candidate.id === id);
    if (!delivery) throw notFound();
    return delivery;
  };
  return [
    onApi.get('/app/hook/deliveries', 'app', (call) => {
      const { status, cursor, per_page: perPage } = call.query;
      const size = Math.min(Number(perPage ?? 30) || 30, 100);
      const found = attempted(webhooks)
        .toReversed()
        .filter((delivery) => !status || status === classify(delivery))
        .filter(({ id }) => !cursor || id < Number(cursor.replace(/^v1_/, '')));
      const page = found.slice(0, size);
      const next = found.length > size ? page.at(-1) : undefined;
      const query = new URLSearchParams({ ...call.query, cursor: `v1_${next?.id}` });
      return {
        ...ok(page.map(presentDelivery)),
        ...(next ? { headers: { link: `<${call.url}?${query}>; rel="next"` } } : {}),
      };
    }),
    onApi.post('/app/hook/deliveries/:delivery_id/attempts', 'app', (call) => {
      webhooks.redeliver(find(numberParam(call, 'delivery_id')).id);
      return ok({}, 202);
    }),
  ];
};

const attempted = (webhooks: Webhooks) =>
  webhooks.log.filter(({ status }) => status === 'no answer' || typeof status === 'number');

/** GitHub's status code for a failed connection, which it lists as a failure. */
const noAnswerCode = 502;

const codeOf = ({ status }: Delivery): number => (typeof status === 'number' ? status : noAnswerCode);

/** https://docs.github.com/en/rest/apps/webhooks#list-deliveries-for-an-app-webhook--parameters: by ranges of the code, inclusive */
function classify(delivery: Delivery): 'success' | 'failure' | undefined {
  const code = codeOf(delivery);
  if (code >= 200 && code <= 399) return 'success';
  return code >= 400 && code <= 599 ? 'failure' : undefined;
}

const presentDelivery = (delivery: Delivery) => ({
  id: delivery.id,
  guid: delivery.deliveryId,
  delivered_at: delivery.at.toISOString(),
  redelivery: delivery.redelivery,
  duration: delivery.durationMs / 1000,
  status:
    classify(delivery) === 'success'
      ? 'OK'
      : typeof delivery.status === 'number'
        ? 'Invalid HTTP Response'
        : 'failed to connect to host',
  status_code: codeOf(delivery),
  event: delivery.event,
  action: delivery.action,
  installation_id: delivery.installationId,
  repository_id: delivery.repositoryId,
  url: delivery.url,
  throttled_at: null,
});
