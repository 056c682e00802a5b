import type { DescribedInstallations } from '../../../github/auth/describe-installations.ts';
import type { Examined } from '../../../health/examine.ts';
import type { Operations } from '../../../store/tables/figures.ts';
import { type Html, html } from '../../pages/html.ts';
import { nameMissing } from '../../pages/name-permission.ts';
import { namePart, summarizeFindings } from '../../pages/summarize-findings.ts';
import { icon, renderCodes, renderPost, renderTime } from '../frame/elements.ts';
import { type DashboardPage, linkTo, nameProject } from '../frame/render-page.ts';

export function operatorPage({
  operations: { backlog, live, limits, missed, missedInAll, hours, people },
  installations,
  problems,
}: {
  operations: Operations;
  /** null: GitHub did not list them. */
  installations: DescribedInstallations | null;
  /** Parts that do not work. */
  problems: readonly { part: string; problem: string }[];
}): DashboardPage {
  const idle = live.filter(({ lease_until: until }) => !isAhead(until)).length;
  const figures: [string, number, string][] = [
    ['Jobs waiting', backlog.jobs.count, age(backlog.jobs)],
    ['Live runs', backlog.leases, idle > 0 ? `${idle} waiting for a worker` : ''],
    ['Webhooks from GitHub', backlog.deliveries.count, age(backlog.deliveries)],
    ['Missed webhooks from GitHub', missedInAll.count, missedInAll.dead > 0 ? `${missedInAll.dead} given up` : ''],
    ['Answers to post on GitHub', backlog.answers.count, age(backlog.answers)],
    ['Installations limited by GitHub', backlog.blockedInstallations, ''],
    ['Webhooks to callers', backlog.webhooks.waiting, describeCallers(backlog.webhooks)],
  ];
  const body = html`<div class="head"><h1>Operator</h1>${renderPost({ name: html`${icon('pulse')}Run the doctor`, action: '/operator/doctor' })}</div>
${renderBanner([
  ...problems.map(
    ({ part, problem }) => html`<strong>${namePart(part)}</strong> does not work: ${renderCodes(problem)}`,
  ),
  ...describeWrong({ backlog, missedInAll, installations }),
])}
<dl class="figures">${figures.map(([name, count, note]) => html`<div><dt>${name}</dt><dd>${count.toLocaleString('en')}</dd>${note !== '' && html`<dd class="hint">${note}</dd>`}</div>`)}</dl>
<h2 class="part">The last 24 hours</h2>
${renderHours(hours)}
<h2 class="part">Live runs</h2>
${renderLiveRuns(live)}
<h2 class="part" id="installations">Installations</h2>
${renderInstallations(installations)}
<h2 class="part" id="limits">GitHub’s limits</h2>
${renderLimits(limits)}
<h2 class="part" id="missed">Missed webhooks from GitHub</h2>
${renderMissed(missed)}
<h2 class="part">People</h2>
${renderPeople(people)}`;
  return { title: 'Operator', isOperators: true, body };
}

const renderBanner = (wrong: Html[]): Html =>
  wrong.length === 0
    ? html`<div class="notice good marked">${icon('check')}<p>Everything works, and nothing waits for you.</p></div>`
    : html`<div class="notice bad marked" role="note">${icon('alert')}<div><p><strong>${wrong.length === 1 ? 'One thing needs' : `${wrong.length} things need`} your attention.</strong></p>
<ul>${wrong.map((item) => html`<li>${item}</li>`)}</ul></div></div>`;

interface Watched {
  backlog: Operations['backlog'];
  missedInAll: Operations['missedInAll'];
  installations: DescribedInstallations | null;
}

/** What is wrong outside this process, and does not pass by itself. */
function describeWrong({ backlog, missedInAll, installations }: Watched): Html[] {
  const count = (number: number, one: string) => `${number.toLocaleString('en')} ${one}${number === 1 ? '' : 's'}`;
  const link = (part: string, number: number) => html`<a href="#${part}">${count(number, 'installation')}</a>`;
  const is = (number: number) => (number === 1 ? 'is' : 'are');
  const lacking =
    installations?.installations.filter(({ missing }) => missing.permissions.length + missing.events.length > 0)
      .length ?? 0;
  const { suspendedInstallations: suspended, blockedInstallations: blocked, webhooks } = backlog;
  return [
    missedInAll.dead > 0 &&
      html`Pagewright gave up <a href="#missed">${count(missedInAll.dead, 'missed webhook')} of GitHub</a>. Redeliver them below.`,
    lacking > 0 &&
      html`${link('installations', lacking)} ${lacking === 1 ? 'lacks' : 'lack'} what Pagewright needs. Their owners accept it on GitHub.`,
    suspended > 0 &&
      html`${link('installations', suspended)} ${is(suspended)} suspended. Only their owners can change that on GitHub.`,
    blocked > 0 &&
      html`${link('limits', blocked)} ${is(blocked)} limited by GitHub. Their jobs go on when the limit ends.`,
    webhooks.failing > 0 &&
      html`${count(webhooks.failing, 'webhook')} to callers ${webhooks.failing === 1 ? 'fails' : 'fail'}. The maintainers of the projects see the reason on their pages.`,
    installations === null && html`GitHub did not list the installations. Reload this page in a moment.`,
  ].filter((item) => item !== false);
}

/** Describes the webhooks that callers have set up. */
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
    const lacking = nameMissing(missing);
    return html`<tr><th scope="row"><a href="${url}">${account}</a></th><td${(isSuspended || lacking !== '') && html` class="problem"`}>${isSuspended ? 'suspended' : lacking !== '' ? `lacks ${lacking}` : 'has what Pagewright needs'}</td></tr>`;
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
<td class="end">${renderPost({ name: 'End sessions', action: `/operator/people/${userId}/end-sessions`, question: `Sign ${login} out everywhere?` })}</td></tr>`,
)}</tbody></table></div>`;

const pills = { broken: 'failed', warning: 'warning', ok: 'completed' } as const;

/** The broken first. */
export function doctorPage(examined: readonly Examined[]): DashboardPage {
  const { worstFirst, summary } = summarizeFindings(examined);
  const body = html`<div class="head"><h1>Doctor</h1>${renderPost({ name: html`${icon('pulse')}Run again`, action: '/operator/doctor' })}</div>
<p class="lead">${summary}</p>
<div class="panel"><table class="list tops"><thead><tr><th scope="col">Part</th><th scope="col">State</th><th scope="col">Finding, and what to do</th></tr></thead>
<tbody>${worstFirst.map(
    (found) =>
      html`<tr><th scope="row">${namePart(found.part)}</th><td><span class="status status-${pills[found.state]}">${found.state}</span></td><td>${renderCodes(found.detail)}${found.state !== 'ok' && html`<br><strong>${renderCodes(found.todo)}</strong>`}</td></tr>`,
  )}</tbody></table></div>`;
  return { title: 'Doctor', isOperators: true, body };
}

/** The slowest first. */
const renderLiveRuns = (live: Operations['live']): Html =>
  live.length === 0
    ? html`<p class="muted">No run is live.</p>`
    : html`<div class="panel"><table class="list"><thead><tr><th scope="col">Job</th><th scope="col">Began</th><th scope="col" class="number">Turns</th><th scope="col">Worker</th><th scope="col">Lease until</th></tr></thead>
<tbody>${live.map(
        ({ job_id: jobId, started_at: startedAt, turns, lease_owner: owner, lease_until: until, ...project }) =>
          html`<tr><th scope="row"><a href="${linkTo(project.project_id).job(jobId)}">${nameProject(project)}</a></th><td class="muted" data-label="Began">${renderTime(startedAt)}</td><td class="number" data-label="Turns">${turns}</td><td class="muted"><code>${owner}</code></td><td class="muted" data-label="Lease until">${renderAhead(until, 'waits for a worker')}</td></tr>`,
      )}</tbody></table></div>`;

const renderLimits = (limits: Operations['limits']): Html =>
  limits.length === 0
    ? html`<p class="muted">No installation has to wait.</p>`
    : html`<div class="panel"><table class="list"><thead><tr><th scope="col">Account</th><th scope="col">Blocked until</th><th scope="col">Writes wait until</th></tr></thead>
<tbody>${limits.map(
        ({ account, blocked_until: blocked, writes_until: writes }) =>
          html`<tr><th scope="row">${account}</th><td>${renderAhead(blocked, 'not blocked')}</td><td>${renderAhead(writes, 'not waiting')}</td></tr>`,
      )}</tbody></table></div>`;

const renderAhead = (until: Date | null, otherwise: string): Html =>
  isAhead(until) ? renderTime(until) : html`<span class="muted">${otherwise}</span>`;

const isAhead = (moment: Date | null): moment is Date => moment !== null && moment.getTime() > Date.now();

/** Deliveries that did not arrive. */
const renderMissed = (missed: Operations['missed']): Html =>
  missed.length === 0
    ? html`<p class="muted">Every webhook from GitHub arrived.</p>`
    : html`<div class="panel"><table class="list"><thead><tr><th scope="col">Delivery</th><th scope="col">Failed</th><th scope="col">Next request</th><th scope="col"><span class="sr">Actions</span></th></tr></thead>
<tbody>${missed.map(
        ({ deliveryId, tries, failedAt, dueAt, isDead }) =>
          html`<tr><th scope="row"><code>${deliveryId}</code></th><td class="muted">${renderTime(failedAt)}, asked ${tries} times</td>
<td${isDead && html` class="problem"`}>${isDead ? 'given up' : dueAt === null ? 'asked, waiting for GitHub' : renderTime(dueAt)}</td>
<td class="end">${renderPost({ name: 'Redeliver', action: `/operator/deliveries/${deliveryId}/redeliver` })}</td></tr>`,
      )}</tbody></table></div>`;

const size = { width: 800, height: 90, gap: 0.25 };

/** A bar an hour: runs that failed below those that did their work. Screen readers hear the sums. */
function renderHours(hours: Operations['hours']): Html {
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
