import type { Project } from '../../../store/tables/repositories/projects.ts';
import type { WebhookDelivery } from '../../../store/tables/webhooks/webhook-deliveries.ts';
import type { WebhookRow } from '../../../store/tables/webhooks/webhooks.ts';
import { type Html, html } from '../../pages/html.ts';
import { icon, renderCopy, renderField } from '../frame/elements.ts';
import { linkTo } from '../frame/project-links.ts';
import type { Page } from '../frame/render-page.ts';
import { renderTime } from '../frame/render-time.ts';

/** A webhook with its last deliveries. */
export interface ShownWebhook {
  webhook: WebhookRow;
  deliveries: WebhookDelivery[];
}

export function webhooksPage({
  project,
  webhooks,
  next,
  typed = '',
  problem,
  secret,
}: {
  project: Project;
  webhooks: ShownWebhook[];
  next: string | null;
  typed?: string;
  problem?: string;
  /** A new secret: shown once. */
  secret?: string;
}): Page {
  const address = linkTo(project.project_id).webhooks;
  const body = html`
<p class="lead">Pagewright sends a signed POST when a job completes, fails or is archived, and when messages are answered.</p>
${secret !== undefined && renderSecret(secret)}
<form class="form inline" method="post" action="${address}">
${renderField(
  { name: 'url', label: 'URL', problem, isLong: true },
  (attributes) =>
    html`<input${attributes} type="url" value="${typed}" required maxlength="2000" autocomplete="off" placeholder="https://hooks.example.com/pagewright">`,
)}
<button>${icon('plus')}Add webhook</button>
</form>
${webhooks.length > 0 ? renderWebhooks(webhooks, address) : html`<div class="empty">${icon('signal')}<h2>No webhooks yet</h2><p>Enter the https address of a program that should be notified when jobs end.</p></div>`}
${next !== null && html`<p><a class="button quiet" rel="next" href="${address}?after=${next}">Older${icon('arrow')}</a></p>`}`;
  return {
    status: problem === undefined ? 200 : 422,
    title: 'Webhooks',
    heading: 'Webhooks',
    project,
    tab: 'Webhooks',
    body,
  };
}

const renderSecret = (secret: string): Html => html`<div class="notice good marked">${icon('key')}<div>
<p><strong>Copy the secret now.</strong> It verifies that a POST comes from Pagewright. It is shown once. After a rotation, the
previous secret stays valid for a day.</p>
<p class="secret"><code role="status">${secret}</code>${renderCopy(secret)}</p></div></div>`;

const renderWebhooks = (
  webhooks: ShownWebhook[],
  address: string,
): Html => html`<div class="panel"><table class="list webhooks tops">
<thead><tr><th scope="col">URL</th><th scope="col">Last deliveries</th><th scope="col"><span class="sr">Actions</span></th></tr></thead>
<tbody>${webhooks.map((shown) => renderWebhook(shown, address))}</tbody></table></div>`;

function renderWebhook({ webhook, deliveries }: ShownWebhook, address: string): Html {
  const { webhook_id: webhookId, url, disabled_at: disabledAt, disabled_reason: reason } = webhook;
  const button = (name: string, action: string, question?: string) =>
    html`<form method="post" action="${address}/${webhookId}/${action}"${question !== undefined && html` data-confirm="${question}"`}><button class="quiet">${name}</button></form>`;
  return html`<tr><th scope="row">${url}${disabledAt && html`<p class="problem">Disabled: ${reason} A successful test enables it again.</p>`}</th>
<td>${deliveries.length > 0 ? html`<ul class="plain">${deliveries.map((delivery) => renderDelivery(delivery, `${address}/${webhookId}/deliveries`, disabledAt === null))}</ul>` : html`<span class="muted">none yet</span>`}</td>
<td class="end"><div class="actions">${button('Send test', 'test')}${button('Rotate secret', 'rotate', 'Make a new secret? The current one stays valid for a day.')}${button('Remove', 'remove', `Remove ${url}? Waiting deliveries are not sent.`)}</div></td></tr>`;
}

function renderDelivery(delivery: WebhookDelivery, address: string, isEnabled: boolean): Html {
  const { delivery_id: deliveryId, job_id: jobId, state, type, response_status: status, error } = delivery;
  const mayRepeat = isEnabled && jobId !== null && state === 'failed';
  return html`<li>
<span class="code ${error === null ? state : 'failed'}">${status ?? (error === null ? state : 'no answer')}</span>
<code>${type}</code> <span class="muted">${renderTime(delivery.tried_at ?? delivery.at)}${error !== null && error !== `it answered ${status}` && `, ${error}`}</span>${mayRepeat && html` <form method="post" action="${address}/${deliveryId}/redeliver"><button class="quiet">Redeliver</button></form>`}</li>`;
}
