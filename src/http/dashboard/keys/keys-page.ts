import type { ApiKey } from '../../../store/tables/access/api-keys.ts';
import type { Project } from '../../../store/tables/repositories/projects.ts';
import { type Html, html } from '../../pages/html.ts';
import { icon, renderCopy, renderField, renderOptions } from '../frame/elements.ts';
import { linkTo } from '../frame/project-links.ts';
import type { DashboardPage } from '../frame/render-page.ts';
import { renderTime } from '../frame/render-time.ts';

export interface TypedKey {
  name: string;
  /** A choice of the form. */
  expires: string;
}

/** A form that was refused, or a key that was created. */
export interface ShownKeys {
  typed?: TypedKey;
  problem?: string;
  created?: { name: string; key: string; projectId: string };
}

const choices = [
  ['never', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const;

export const isExpiryChoice = (text: string): boolean => choices.some(([value]) => value === text);

export const findExpiry = (choice: string, now = Date.now()): Date | null =>
  choice === 'never' ? null : new Date(now + Number(choice) * 24 * 60 * 60_000);

export function keysPage({
  project,
  keys,
  origin,
  typed = { name: '', expires: '90' },
  problem,
  created,
}: ShownKeys & { project: Project; keys: ApiKey[]; origin: string }): DashboardPage {
  const address = linkTo(project.project_id).keys;
  const body = html`
<p class="lead">A key lets a program send instructions to this repository through the API.</p>
${created && renderCreated(created, origin)}
<form class="form inline" method="post" action="${address}">
${renderField(
  { name: 'name', label: 'Name', problem },
  (attributes) =>
    html`<input${attributes} value="${typed.name}" required maxlength="100" autocomplete="off" placeholder="ci">`,
)}
${renderField(
  { name: 'expires', label: 'Expires' },
  (attributes) => html`<select${attributes}>${renderOptions(choices, typed.expires)}</select>`,
)}
<button>${icon('plus')}Create key</button>
</form>
${keys.length > 0 ? renderKeys(keys, address) : html`<div class="empty">${icon('key')}<h2>No keys yet</h2><p>A key lets a program send instructions to this repository. Name it after the program.</p></div>`}`;
  return { status: problem === undefined ? 200 : 422, title: 'Keys', heading: 'API keys', project, tab: 'Keys', body };
}

const renderCreated = (
  { name, key, projectId }: { name: string; key: string; projectId: string },
  origin: string,
): Html => html`<div class="notice good marked">${icon('key')}<div>
<p><strong>Copy the key of ${name} now.</strong> Pagewright stores only its hash, and shows it once.</p>
<p class="secret"><code role="status">${key}</code>${renderCopy(key)}</p>
<pre>curl -H "Authorization: Bearer ${key.slice(0, 14)}…" -H "Content-Type: application/json" \\
  -d '{"prompt":"Fix the typos in the README"}' \\
  ${origin}/v2/agent/${projectId}/job</pre>
</div></div>`;

const renderKeys = (keys: ApiKey[], address: string): Html => html`<div class="panel"><table class="list keys">
<thead><tr><th scope="col">Name</th><th scope="col">Key</th><th scope="col">Created</th><th scope="col">Last used</th><th scope="col">Expires</th><th scope="col"><span class="sr">Actions</span></th></tr></thead>
<tbody>${keys.toReversed().map((key) => renderKey(key, address))}</tbody>
</table></div>`;

function renderKey(key: ApiKey, address: string): Html {
  const { key_id: keyId, name, last4, revoked_at: revokedAt, expires_at: expiresAt, last_used_at: usedAt } = key;
  const isExpired = expiresAt !== null && expiresAt <= new Date();
  const isUsable = !revokedAt && !isExpired;
  const state = revokedAt
    ? html`revoked ${renderTime(revokedAt)}`
    : isExpired && html`expired ${renderTime(expiresAt)}`;
  return html`<tr${!isUsable && html` class="ended"`}><th scope="row">${name}</th>
<td><code>…${last4}</code></td>
<td class="muted" data-label="Created">${renderTime(key.created_at)}</td>
<td class="muted" data-label="Last used">${usedAt ? renderTime(usedAt) : 'never'}</td>
<td class="muted"${isUsable && html` data-label="Expires"`}>${state || (expiresAt ? renderTime(expiresAt) : 'never')}</td>
<td class="end">${isUsable && html`<form method="post" action="${address}/${keyId}/revoke" data-confirm="Revoke the key ${name}? Programs that use it are refused at once."><button class="quiet danger">Revoke</button></form>`}</td></tr>`;
}
