import type { DescribedInstallations } from '../../../github/auth/describe-installations.ts';
import type { Operations } from '../../../store/lists/read-operations.ts';
import { type Html, html } from '../../pages/html.ts';
import { icon } from '../frame/elements.ts';
import type { Page } from '../frame/render-page.ts';
import { renderTime } from '../frame/render-time.ts';
import { renderLimits, renderLive, renderMissed } from './operator-tables.ts';

export function operatorPage({
  operations: { backlog, live, limits, missed, missedInAll, people },
  installations,
  problems,
}: {
  operations: Operations;
  /** null: GitHub did not list them. */
  installations: DescribedInstallations | null;
  /** Parts that do not work. */
  problems: readonly { part: string; problem: string }[];
}): Page {
  const figures: [string, number, string][] = [
    ['Jobs waiting', backlog.jobs.count, age(backlog.jobs)],
    ['Live runs', backlog.leases, ''],
    ['Webhooks from GitHub', backlog.deliveries.count, age(backlog.deliveries)],
    ['Missed webhooks from GitHub', missedInAll.count, missedInAll.dead > 0 ? `${missedInAll.dead} given up` : ''],
    ['Answers to post on GitHub', backlog.answers.count, age(backlog.answers)],
    ['Limited by GitHub', backlog.blockedInstallations, 'installations'],
    ['Webhooks to callers', backlog.webhooks.waiting, describeCallers(backlog.webhooks)],
  ];
  const body = html`<div class="head"><h1>Operator</h1><form method="post" action="/operator/doctor"><button class="quiet">${icon('pulse')}Run the doctor</button></form></div>
${
  problems.length > 0
    ? html`<div class="notice bad marked" role="note">${icon('alert')}<div><p><strong>Does not work: ${problems.map(({ part }) => part).join(', ')}.</strong></p>
${problems.map(({ problem }) => html`<p>${problem}</p>`)}</div></div>`
    : html`<div class="notice good marked">${icon('check')}<p>GitHub, the model server and the disk work.</p></div>`
}
<dl class="figures">${figures.map(([name, count, note]) => html`<div><dt>${name}</dt><dd>${count.toLocaleString('en')}</dd>${note !== '' && html`<dd class="hint">${note}</dd>`}</div>`)}</dl>
<h2 class="part">Live runs</h2>
${renderLive(live)}
<h2 class="part">Installations</h2>
${renderInstallations(installations)}
<h2 class="part">GitHub’s limits</h2>
${renderLimits(limits)}
<h2 class="part">Missed webhooks from GitHub</h2>
${renderMissed(missed)}
<h2 class="part">People</h2>
${renderPeople(people)}`;
  return { title: 'Operator', isOperators: true, body };
}

/** Of the webhooks that callers have set up. */
function describeCallers({ failing, disabled }: Operations['backlog']['webhooks']): string {
  const parts = [failing > 0 && `${failing} failing`, disabled > 0 && `${disabled} disabled`];
  return parts.filter((part) => part !== false).join(', ');
}

const age = ({ count, oldestSeconds }: { count: number; oldestSeconds: number }): string =>
  count === 0 ? '' : `oldest: ${Math.round(oldestSeconds)} s`;

function renderInstallations(described: DescribedInstallations | null): Html {
  if (described === null) return html`<p class="muted">GitHub did not list them. Reload this page in a moment.</p>`;
  if (described.installations.length === 0) return html`<p class="muted">The App is installed nowhere yet.</p>`;
  return html`<div class="panel"><table class="list"><thead><tr><th scope="col">Account</th><th scope="col">State</th></tr></thead>
<tbody>${described.installations.map(({ account, url, isSuspended, missing }) => {
    const lacking = [...missing.permissions, ...missing.events];
    return html`<tr><th scope="row"><a href="${url}">${account}</a></th><td${(isSuspended || lacking.length > 0) && html` class="problem"`}>${isSuspended ? 'suspended' : lacking.length > 0 ? `lacks ${lacking.join(', ')}` : 'has what Pagewright needs'}</td></tr>`;
  })}</tbody></table></div>`;
}

const renderPeople = (
  people: Operations['people'],
): Html => html`<div class="panel"><table class="list"><thead><tr><th scope="col">Person</th><th scope="col">Sessions</th><th scope="col">Last seen</th><th scope="col"><span class="sr">Actions</span></th></tr></thead>
<tbody>${people.map(
  ({
    user_id: userId,
    login,
    sessions,
    used_at: usedAt,
  }) => html`<tr><th scope="row">${login}</th><td>${sessions} <span class="narrow-only">${sessions === 1 ? 'session' : 'sessions'}</span></td><td class="muted">${renderTime(usedAt)}</td>
<td class="end"><form method="post" action="/operator/people/${userId}/end-sessions" data-confirm="Sign ${login} out everywhere?"><button class="quiet">End sessions</button></form></td></tr>`,
)}</tbody></table></div>`;
