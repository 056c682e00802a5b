import { webhookEvents } from '../../../store/tables/columns.ts';
import type { Project } from '../../../store/tables/repositories/projects.ts';
import type { WebhookDelivery } from '../../../store/tables/webhooks/webhook-deliveries.ts';
import { isPaused, type WebhookRow } from '../../../store/tables/webhooks/webhooks.ts';
import { type Html, html } from '../../pages/html.ts';
import { icon, renderCopy, renderField } from '../frame/elements.ts';
import { linkTo } from '../frame/project-links.ts';
import type { DashboardPage } from '../frame/render-page.ts';
import { renderTime } from '../frame/render-time.ts';
import { mayRepeat, renderAnswer, renderRedeliver } from './delivery-page.ts';
import { renderWebhookState } from './webhooks-page.ts';

export interface TypedWebhook {
  url: string;
  events: readonly string[];
}

const meanings: Record<(typeof webhookEvents)[number], string> = {
  'job.completed': 'A job has finished its work',
  'job.failed': 'A job failed or was stopped',
  'job.archived': 'A job was merged, closed or archived',
  'message.answered': 'A message was answered',
  'automation.unchanged': 'An automation found nothing to document',
};

/** A webhook: what it gets, and what became of it. */
export function webhookPage({
  project,
  webhook,
  deliveries,
  next,
  typed = webhook,
  problem,
  secret,
}: {
  project: Project;
  webhook: WebhookRow;
  deliveries: WebhookDelivery[];
  next: number | null;
  typed?: TypedWebhook;
  problem?: string | undefined;
  /** A new secret: shown once. */
  secret?: string;
}): DashboardPage {
  const { webhooks } = linkTo(project.project_id);
  const address = `${webhooks}/${webhook.webhook_id}`;
  const button = (name: string, action: string, question?: string, look = 'quiet') =>
    html`<form method="post" action="${address}/${action}"${question !== undefined && html` data-confirm="${question}"`}><button class="${look}">${name}</button></form>`;
  const body = html`<p class="back"><a href="${webhooks}">Webhooks</a></p>
<div class="head"><h1>${webhook.url}</h1><div class="actions">${button('Send test', 'test')}${isPaused(webhook) ? button('Resume', 'resume') : webhook.disabled_at === null && button('Pause', 'pause', 'Pause this webhook? What happens until you resume it is not sent; deliveries that wait are sent then.')}${button('Rotate secret', 'rotate', 'Make a new secret? The current one stays valid for a day.')}${button('Remove', 'remove', `Remove ${webhook.url}? Waiting deliveries are not sent.`, 'quiet danger')}</div></div>
<p class="state">${renderWebhookState(webhook)}<span class="facts">${webhook.disabled_reason !== null && html`<span class="fact">${webhook.disabled_reason}${!isPaused(webhook) && ' A successful test enables it again.'}</span>`}</span></p>
${secret !== undefined && renderSecret(secret)}
<h2 class="part">Deliveries</h2>
${deliveries.length > 0 ? renderDeliveries(deliveries, { address, webhook }) : html`<p class="muted">None yet. Send a test to see whether the program answers.</p>`}
${next !== null && html`<p><a class="button quiet" rel="next" href="${address}?after=${next}">Older${icon('arrow')}</a></p>`}
<h2 class="part">What it gets</h2>
<form class="form" method="post" action="${address}/edit">
${renderField(
  { name: 'url', label: 'URL', problem },
  (attributes) =>
    html`<input${attributes} type="url" value="${typed.url}" required maxlength="2000" autocomplete="off">`,
)}
<fieldset class="options"><legend>Events</legend>${webhookEvents.map(
    (event) =>
      html`<div class="check"><input type="checkbox" id="${event}" name="events" value="${event}"${typed.events.includes(event) && html` checked`}><label for="${event}">${meanings[event]}</label> <code class="muted">${event}</code></div>`,
  )}</fieldset>
<p class="actions"><button>Save</button></p>
</form>`;
  return { status: problem === undefined ? 200 : 422, title: webhook.url, project, tab: 'Webhooks', body };
}

const renderSecret = (secret: string): Html => html`<div class="notice good marked">${icon('key')}<div>
<p><strong>Copy the secret now.</strong> It verifies that a POST comes from Pagewright. It is shown once. After a rotation, the
previous secret stays valid for a day.</p>
<p class="secret"><code role="status">${secret}</code>${renderCopy(secret)}</p></div></div>`;

const renderDeliveries = (
  deliveries: WebhookDelivery[],
  { address, webhook }: { address: string; webhook: WebhookRow },
): Html => html`<div class="panel"><table class="list">
<thead><tr><th scope="col">Answer</th><th scope="col">Event</th><th scope="col">Sent</th><th scope="col"><span class="sr">Actions</span></th></tr></thead>
<tbody>${deliveries.map((delivery) => {
  const own = `${address}/deliveries/${delivery.delivery_id}`;
  return html`<tr><td>${renderAnswer(delivery)}</td><td class="what"><a href="${own}"><code>${delivery.type}</code></a></td>
<td class="muted">${renderTime(delivery.tried_at ?? delivery.at)}</td><td class="end">${mayRepeat(delivery, webhook) && renderRedeliver(own)}</td></tr>`;
})}</tbody></table></div>`;
