import type { Operations } from '../../../store/lists/read-operations.ts';
import { type Html, html } from '../../pages/html.ts';
import { linkTo, nameProject } from '../frame/project-links.ts';
import { renderTime } from '../frame/render-time.ts';

/** The slowest first. */
export const renderLiveRuns = (live: Operations['live']): Html =>
  live.length === 0
    ? html`<p class="muted">No run is live.</p>`
    : html`<div class="panel"><table class="list"><thead><tr><th scope="col">Job</th><th scope="col">Began</th><th scope="col" class="number">Turns</th><th scope="col">Worker</th><th scope="col">Lease until</th></tr></thead>
<tbody>${live.map(
        ({ job_id: jobId, started_at: startedAt, turns, lease_owner: owner, lease_until: until, ...project }) =>
          html`<tr><th scope="row"><a href="${linkTo(project.project_id).job(jobId)}">${nameProject(project)}</a></th><td class="muted" data-label="Began">${renderTime(startedAt)}</td><td class="number" data-label="Turns">${turns}</td><td class="muted"><code>${owner}</code></td><td class="muted" data-label="Lease until">${renderAhead(until, 'waits for a worker')}</td></tr>`,
      )}</tbody></table></div>`;

export const renderLimits = (limits: Operations['limits']): Html =>
  limits.length === 0
    ? html`<p class="muted">No installation has to wait.</p>`
    : html`<div class="panel"><table class="list"><thead><tr><th scope="col">Account</th><th scope="col">Blocked until</th><th scope="col">Writes wait until</th></tr></thead>
<tbody>${limits.map(
        ({ account, blocked_until: blocked, writes_until: writes }) =>
          html`<tr><th scope="row">${account}</th><td>${renderAhead(blocked, 'not blocked')}</td><td>${renderAhead(writes, 'not waiting')}</td></tr>`,
      )}</tbody></table></div>`;

const renderAhead = (until: Date | null, otherwise: string): Html =>
  until !== null && until.getTime() > Date.now() ? renderTime(until) : html`<span class="muted">${otherwise}</span>`;

/** Deliveries that did not arrive. */
export const renderMissed = (missed: Operations['missed']): Html =>
  missed.length === 0
    ? html`<p class="muted">Every webhook from GitHub arrived.</p>`
    : html`<div class="panel"><table class="list"><thead><tr><th scope="col">Delivery</th><th scope="col">Failed</th><th scope="col">Next request</th><th scope="col"><span class="sr">Actions</span></th></tr></thead>
<tbody>${missed.map(
        ({ deliveryId, tries, failedAt, dueAt, isDead }) =>
          html`<tr><th scope="row"><code>${deliveryId}</code></th><td class="muted">${renderTime(failedAt)}, asked ${tries} times</td>
<td${isDead && html` class="problem"`}>${isDead ? 'given up' : dueAt === null ? 'asked, waiting for GitHub' : renderTime(dueAt)}</td>
<td class="end"><form method="post" action="/operator/deliveries/${deliveryId}/redeliver"><button class="quiet">Redeliver</button></form></td></tr>`,
      )}</tbody></table></div>`;

const size = { width: 800, height: 90, gap: 0.25 };

/** A bar an hour: runs that failed below those that did their work. Screen readers hear the sums. */
export function renderHours(hours: Operations['hours']): Html {
  const sum = (name: 'completed' | 'failed') => hours.reduce((total, hour) => total + hour[name], 0);
  const [completed, failed] = [sum('completed'), sum('failed')];
  if (completed + failed === 0) return html`<p class="muted">No run ended.</p>`;
  const most = Math.max(...hours.map((hour) => hour.completed + hour.failed));
  const step = size.width / hours.length;
  const bar = (index: number, { from, count, look }: { from: number; count: number; look: string }) => {
    const scale = (size.height - 4) / most;
    const place = { x: index * step + (step * size.gap) / 2, y: size.height - (from + count) * scale };
    return html`<rect class="${look}" x="${place.x.toFixed(1)}" y="${place.y.toFixed(1)}" width="${(step * (1 - size.gap)).toFixed(1)}" height="${(count * scale).toFixed(1)}"/>`;
  };
  const label = `Runs of the last 24 hours: ${completed} done, ${failed} failed`;
  return html`<figure class="chart hours panel"><svg role="img" aria-label="${label}" viewBox="0 0 ${size.width} ${size.height}" preserveAspectRatio="none">
${hours.map((hour, index) => html`<g><title>${hour.at.toISOString().slice(11, 16)} UTC: ${hour.completed} done, ${hour.failed} failed</title>${hour.failed > 0 && bar(index, { from: 0, count: hour.failed, look: 'wrong' })}${hour.completed > 0 && bar(index, { from: hour.failed, count: hour.completed, look: 'right' })}</g>`)}
</svg><figcaption><span>24 hours ago</span><span>${completed.toLocaleString('en')} done, ${failed.toLocaleString('en')} failed</span><span>now</span></figcaption></figure>`;
}
