import type { Project } from '../../../store/tables/repositories/projects.ts';
import type { WebhookDelivery } from '../../../store/tables/webhooks/webhook-deliveries.ts';
import type { WebhookRow } from '../../../store/tables/webhooks/webhooks.ts';
import { type Html, html } from '../../pages/html.ts';
import { linkTo } from '../frame/project-links.ts';
import type { DashboardPage } from '../frame/render-page.ts';
import { renderTime } from '../frame/render-time.ts';

/** The status that the program answered, or why there is none. */
export function renderAnswer({ state, response_status: status, error }: WebhookDelivery): Html {
  const isGood = error === null && state === 'delivered';
  const look = isGood ? 'status-completed' : error === null ? '' : 'status-failed';
  return html`<span class="status ${look}">${status ?? (error === null ? state : 'no answer')}</span>`;
}

export const mayRepeat = (
  { job_id: jobId, state }: WebhookDelivery,
  { disabled_at: disabledAt }: WebhookRow,
): boolean => disabledAt === null && jobId !== null && state !== 'waiting';

export const renderRedeliver = (address: string): Html =>
  html`<form method="post" action="${address}/redeliver"><button class="quiet">Redeliver</button></form>`;

/** What was sent, what was answered, and what comes next. */
export function deliveryPage({
  project,
  webhook,
  delivery,
}: {
  project: Project;
  webhook: WebhookRow;
  delivery: WebhookDelivery;
}): DashboardPage {
  const { webhooks, job } = linkTo(project.project_id);
  const { delivery_id: deliveryId, job_id: jobId, type, tries, tried_at: triedAt, due_at: dueAt, state } = delivery;
  const own = `${webhooks}/${webhook.webhook_id}`;
  const rows: [string, Html | string][] = [
    ['State', describeState(delivery)],
    ['Happened', renderTime(delivery.at)],
    ['Tries', html`${tries}${triedAt && html`, the last one ${renderTime(triedAt)}`}`],
    ...(state === 'waiting' && webhook.disabled_at === null
      ? [['Next try', renderTime(dueAt)] satisfies [string, Html]]
      : []),
    ...(jobId === null
      ? []
      : [['Job', html`<a href="${job(jobId)}"><code>${jobId}</code></a>`] satisfies [string, Html]]),
  ];
  const body = html`<p class="back"><a href="${webhooks}">Webhooks</a> / <a href="${own}">${webhook.url}</a></p>
<div class="head"><h1><code>${type}</code></h1>${mayRepeat(delivery, webhook) && renderRedeliver(`${own}/deliveries/${deliveryId}`)}</div>
<div class="panel"><table class="list"><tbody>${rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table></div>
<h2 class="part">Answer</h2>
<p>${renderAnswer(delivery)}${delivery.error !== null && html` <span class="problem">${delivery.error}</span>`}</p>
<p class="hint">Pagewright keeps the status, and no text of the answer.</p>
<h2 class="part">Request</h2>
<pre tabindex="0" aria-label="Request">POST ${webhook.url}
content-type: application/json
webhook-id: ${deliveryId}
webhook-timestamp: the second of the try
webhook-signature: v1,…

${formatBody(delivery.body)}</pre>`;
  return { title: type, project, tab: 'Webhooks', body };
}

function describeState({ state, tries }: WebhookDelivery): string {
  if (state === 'delivered') return 'Delivered';
  if (state === 'failed') return 'Given up';
  return tries === 0 ? 'Waits to be sent' : 'Waits for its next try';
}

function formatBody(body: string | null): string {
  if (body === null) return 'The body is written at the first try.';
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
