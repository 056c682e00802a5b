import type { Project } from '../../../store/tables/repositories/projects.ts';
import type { WebhookDelivery } from '../../../store/tables/webhooks/webhook-deliveries.ts';
import { isPaused, type WebhookRow } from '../../../store/tables/webhooks/webhooks.ts';
import { type Html, html } from '../../pages/html.ts';
import { icon, renderField } from '../frame/elements.ts';
import { linkTo } from '../frame/project-links.ts';
import type { DashboardPage } from '../frame/render-page.ts';
import { renderTime } from '../frame/render-time.ts';
import { renderAnswer } from './delivery-page.ts';

/** A webhook with its last delivery. */
export interface ShownWebhook {
  webhook: WebhookRow;
  last: WebhookDelivery | undefined;
}

export function webhooksPage({
  project,
  webhooks,
  next,
  typed = '',
  problem,
}: {
  project: Project;
  webhooks: ShownWebhook[];
  next: string | null;
  typed?: string;
  problem?: string;
}): DashboardPage {
  const address = linkTo(project.project_id).webhooks;
  const body = html`
<p class="lead">Pagewright sends a signed POST when a job completes, fails or is archived, and when messages are answered.</p>
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
  const status = problem === undefined ? 200 : 422;
  return { status, title: 'Webhooks', heading: 'Webhooks', project, tab: 'Webhooks', body };
}

const renderWebhooks = (
  webhooks: ShownWebhook[],
  address: string,
): Html => html`<div class="panel"><table class="list webhooks">
<thead><tr><th scope="col">URL</th><th scope="col">State</th><th scope="col">Last delivery</th></tr></thead>
<tbody>${webhooks.map(
  ({ webhook, last }) =>
    html`<tr><td class="what"><a href="${address}/${webhook.webhook_id}">${webhook.url}</a></td>
<td>${renderWebhookState(webhook)}</td>
<td class="muted">${last ? html`${renderAnswer(last)} ${renderTime(last.tried_at ?? last.at)}` : 'none yet'}</td></tr>`,
)}</tbody></table></div>`;

export function renderWebhookState(webhook: WebhookRow): Html {
  if (isPaused(webhook)) return html`<span class="status">Paused</span>`;
  if (webhook.disabled_at !== null) return html`<span class="status status-failed">Disabled</span>`;
  if (webhook.failing_since !== null) return html`<span class="status status-warning">Failing</span>`;
  return html`<span class="status status-completed">Active</span>`;
}
