import { webhookEvents } from '../../../store/tables/columns.ts';
import type { Project } from '../../../store/tables/repositories/projects.ts';
import type { WebhookDelivery } from '../../../store/tables/webhooks/webhook-deliveries.ts';
import { isPaused, type WebhookRow } from '../../../store/tables/webhooks/webhooks.ts';
import { type Html, html } from '../../pages/html.ts';
import { icon, renderCopy, renderField, renderOlder, renderPost, renderTime } from '../frame/elements.ts';
import { type DashboardPage, linkTo } from '../frame/render-page.ts';

/** A webhook with its last delivery. */
export interface ShownWebhook {
  webhook: WebhookRow;
  last: WebhookDelivery | undefined;
}

export function webhooksPage(options: {
  project: Project;
  webhooks: ShownWebhook[];
  next: string | null;
  typed?: string;
  problem?: string;
}): DashboardPage {
  const { project, webhooks, next, typed = '', problem } = options;
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
${next !== null && renderOlder(`${address}?after=${next}`)}`;
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

function renderWebhookState(webhook: WebhookRow): Html {
  if (isPaused(webhook)) return html`<span class="status">Paused</span>`;
  if (webhook.disabled_at !== null) return html`<span class="status status-failed">Disabled</span>`;
  if (webhook.failing_since !== null) return html`<span class="status status-warning">Failing</span>`;
  return html`<span class="status status-completed">Active</span>`;
}

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
export function webhookPage(options: {
  project: Project;
  webhook: WebhookRow;
  deliveries: WebhookDelivery[];
  /** The names of the jobs that they are about. */
  names: ReadonlyMap<string, string>;
  next: number | null;
  typed?: TypedWebhook;
  problem?: string | undefined;
  /** A new secret: shown once. */
  secret?: string;
}): DashboardPage {
  const { project, webhook, deliveries, names, next, typed = webhook, problem, secret } = options;
  const { webhooks } = linkTo(project.project_id);
  const address = `${webhooks}/${webhook.webhook_id}`;
  const button = (name: string, action: string, question?: string, look = 'quiet') =>
    renderPost({ name, action: `${address}/${action}`, question, look });
  const body = html`<p class="back"><a href="${webhooks}">Webhooks</a></p>
<div class="head"><h1>${webhook.url}</h1><div class="actions">${button('Send test', 'test')}${isPaused(webhook) ? button('Resume', 'resume') : webhook.disabled_at === null && button('Pause', 'pause', 'Pause this webhook? What happens until you resume it is not sent; deliveries that wait are sent then.')}${button('Rotate secret', 'rotate', 'Make a new secret? The current one stays valid for a day.')}${button('Remove', 'remove', `Remove ${webhook.url}? Waiting deliveries are not sent.`, 'quiet danger')}</div></div>
<p class="state">${renderWebhookState(webhook)}<span class="facts">${webhook.disabled_at === null && webhook.failing_since !== null && html`<span class="fact">since ${renderTime(webhook.failing_since)}</span>`}${webhook.disabled_reason !== null && html`<span class="fact">${webhook.disabled_reason}${!isPaused(webhook) && ' A successful test enables it again.'}</span>`}</span></p>
${secret !== undefined && renderSecret(secret)}
<h2 class="part">Deliveries</h2>
${deliveries.length > 0 ? renderDeliveries(deliveries, { address, webhook, names }) : html`<p class="muted">None yet. Send a test to see whether the program answers.</p>`}
${next !== null && renderOlder(`${address}?after=${next}`)}
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
<p class="secret"><code role="status" tabindex="-1" autofocus>${secret}</code>${renderCopy(secret)}</p></div></div>`;

const renderDeliveries = (
  deliveries: WebhookDelivery[],
  { address, webhook, names }: { address: string; webhook: WebhookRow; names: ReadonlyMap<string, string> },
): Html => html`<div class="panel"><table class="list">
<thead><tr><th scope="col">Answer</th><th scope="col">Event</th><th scope="col">Sent or due</th><th scope="col"><span class="sr">Actions</span></th></tr></thead>
<tbody>${deliveries.map((delivery) => {
  const own = `${address}/deliveries/${delivery.delivery_id}`;
  return html`<tr><td>${renderAnswer(delivery)}</td><td class="what"><a href="${own}"><code>${delivery.type}</code></a> <span class="muted">${names.get(delivery.job_id ?? '')}</span></td>
<td class="muted short">${renderMoment(delivery, webhook)}</td><td class="end">${mayRepeat(delivery, webhook) && renderRedeliver(own)}</td></tr>`;
})}</tbody></table></div>`;

const isDue = ({ state }: WebhookDelivery, { disabled_at: disabledAt }: WebhookRow): boolean =>
  state === 'waiting' && disabledAt === null;

/** When it was tried, and when it is tried next. */
const renderMoment = (delivery: WebhookDelivery, webhook: WebhookRow): Html =>
  html`${delivery.tried_at && renderTime(delivery.tried_at)}${delivery.tried_at && isDue(delivery, webhook) && ', '}${
    isDue(delivery, webhook) ? html`due ${renderTime(delivery.due_at)}` : !delivery.tried_at && 'not sent'
  }`;

/** The status that the program answered, or why there is none. */
function renderAnswer({ state, response_status: status, error }: WebhookDelivery): Html {
  const isGood = error === null && state === 'delivered';
  const look = isGood ? 'status-completed' : error === null ? '' : 'status-failed';
  return html`<span class="status ${look}">${status ?? (error === null ? state : 'no answer')}</span>`;
}

const mayRepeat = ({ job_id: jobId, state }: WebhookDelivery, { disabled_at: disabledAt }: WebhookRow): boolean =>
  disabledAt === null && jobId !== null && state !== 'waiting';

const renderRedeliver = (address: string): Html => renderPost({ name: 'Redeliver', action: `${address}/redeliver` });

/** What was sent, what was answered, and what comes next. */
export function deliveryPage(options: {
  project: Project;
  webhook: WebhookRow;
  delivery: WebhookDelivery;
  names: ReadonlyMap<string, string>;
}): DashboardPage {
  const { project, webhook, delivery, names } = options;
  const { webhooks, job } = linkTo(project.project_id);
  const { delivery_id: deliveryId, job_id: jobId, type, tries, tried_at: triedAt, due_at: dueAt } = delivery;
  const own = `${webhooks}/${webhook.webhook_id}`;
  const rows: [string, Html | string][] = [
    ['State', describeState(delivery)],
    ['Happened', renderTime(delivery.at)],
    ['Tries', html`${tries}${triedAt && html`, the last one ${renderTime(triedAt)}`}`],
    ...(isDue(delivery, webhook) ? [['Next try', renderTime(dueAt)] satisfies [string, Html]] : []),
    ...(jobId === null
      ? []
      : [['Job', html`<a href="${job(jobId)}">${names.get(jobId) ?? jobId}</a>`] satisfies [string, Html]]),
  ];
  const body = html`<p class="back"><a href="${webhooks}">Webhooks</a> / <a href="${own}">${webhook.url}</a></p>
<div class="head"><h1><code>${type}</code></h1>${mayRepeat(delivery, webhook) && renderRedeliver(`${own}/deliveries/${deliveryId}`)}</div>
<div class="panel"><table class="list"><tbody>${rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table></div>
<h2 class="part">Answer</h2>
<p>${renderAnswer(delivery)}${delivery.error !== null && delivery.error !== `it answered ${delivery.response_status}` && html` <span class="problem">${delivery.error}</span>`}</p>
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
