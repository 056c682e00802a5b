import { formatCost, type Tokens } from '../../../config/prices.ts';
import type { Project } from '../../../store/tables/repositories/projects.ts';
import type { BudgetState } from '../../../store/tables/usage.ts';
import { peopleGroups, usageGroups } from '../../../store/tables/usage.ts';
import { dayMs, formatDay } from '../../api/usage-endpoint.ts';
import { type Html, html } from '../../pages/html.ts';
import { icon, renderChoices, renderField, renderMenu, renderTime } from '../frame/elements.ts';
import { type DashboardPage, linkTo } from '../frame/render-page.ts';

const heads: Record<UsageView, string> = {
  day: 'Day',
  author: 'Author',
  automation: 'Automation',
  model: 'Model',
  key: 'Key',
};

export function usagePage(options: {
  project: Project;
  query: UsageQuery;
  presets: { name: string; from: string; to: string }[];
  rows: UsageRow[];
  days: UsageRow[];
  total: UsageSums;
  currency: string;
  budget: BudgetState | undefined;
}): DashboardPage {
  const { project, query, presets, rows, days, total, currency, budget } = options;
  const address = linkTo(project.project_id).usage;
  const ask = (changed: Partial<UsageQuery>) =>
    `${address}?${new URLSearchParams({ ...query, ...changed }).toString()}`;
  const csv = new URLSearchParams({ ...query, format: 'csv' }).toString();
  const day = (name: 'from' | 'to', label: string) =>
    renderField({ name, label }, (attributes) => html`<input${attributes} type="date" value="${query[name]}">`);
  const format = (cost: number | null) => (cost === null ? '–' : formatCost(cost, currency));
  const body = html`<div class="head"><h1>Usage</h1>${rows.length > 0 && html`<a class="button quiet" href="${address}?${csv}">${icon('download')}Download CSV</a>`}</div>
<nav class="filters sift" aria-label="Days">${renderChoices(
    'Days',
    presets.map(({ name, ...days }) => ({ name, href: ask(days), isCurrent: isSame(days, query) })),
  )}
${renderMenu('days', presets.some((days) => isSame(days, query)) ? 'Other days' : `${query.from} to ${query.to}`, html`<form class="form" method="get" action="${address}">${day('from', 'From')}${day('to', 'To')}<input type="hidden" name="by" value="${query.by}"><button>Show</button></form>`)}</nav>
<dl class="figures">
<div><dt>Cost</dt><dd>${format(total.cost)}</dd></div>
<div><dt>Runs</dt><dd>${total.runs.toLocaleString('en')}</dd></div>
<div><dt>Tokens</dt><dd>${renderTokens(total)}</dd></div>
${budget && renderBudget(budget)}
</dl>
${renderChart(days, query)}
<nav class="filters by" aria-label="Usage by"><span class="muted" aria-hidden="true">By</span>${renderChoices(
    'By',
    usageViews.map((by) => ({ name: heads[by], href: ask({ by }), isCurrent: by === query.by })),
  )}</nav>
${renderTable(rows, { total, head: heads[query.by], format })}
<p class="hint">Days are in UTC. A run counts on the day it ended. ${
    total.cost === null
      ? 'There is no cost, because the operator has set no price for a model that was used.'
      : 'Cost is by the prices that the operator has set.'
  }</p>`;
  return { title: 'Usage', project, tab: 'Usage', body };
}

const isSame = (days: { from: string; to: string }, { from, to }: UsageQuery) => days.from === from && days.to === to;

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

const renderTokens = ({ tokensIn, tokensCached, tokensOut }: UsageSums): Html =>
  html`<span title="${tokensIn.toLocaleString('en')} in, of them ${tokensCached.toLocaleString('en')} cached; ${tokensOut.toLocaleString('en')} out">${short.format(tokensIn + tokensOut)}</span>`;

function renderBudget({ limit, used, resetsAt }: BudgetState): Html {
  const percent = Math.min(100, Math.floor((used / limit) * 100));
  return html`<div${percent >= 90 && html` class="wrong"`}><dt>Budget of this month</dt><dd>${percent} %</dd>
<dd class="hint"><meter value="${percent}" max="100" high="90" aria-label="Used of the budget">${percent} %</meter> of ${short.format(limit)} tokens, new ${renderTime(resetsAt)}</dd></div>`;
}

function renderTable(
  rows: UsageRow[],
  { total, head, format }: { total: UsageSums; head: string; format: (cost: number | null) => string },
): Html {
  const cells = (sums: UsageSums) =>
    html`<td class="number" data-label="Runs">${sums.runs.toLocaleString('en')}</td><td class="number" data-label="Tokens">${renderTokens(sums)}</td><td class="number" data-label="Cost">${format(sums.cost)}</td>`;
  return html`<div class="wide panel" role="region" aria-label="Usage by ${head.toLowerCase()}" tabindex="0"><table class="list usage">
<thead><tr><th scope="col">${head}</th>${['Runs', 'Tokens', 'Cost'].map((name) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr><th scope="row">${row.name}</th>${cells(row)}</tr>`)}
${rows.length === 0 && html`<tr><td colspan="4" class="muted">Nothing was used in these days.</td></tr>`}</tbody>
<tfoot><tr><th scope="row">Total</th>${cells(total)}</tr></tfoot>
</table></div>`;
}

export const usageViews = [...usageGroups, ...peopleGroups] as const;
export type UsageView = (typeof usageViews)[number];

/** Days are `YYYY-MM-DD` in UTC, both included. */
export interface UsageQuery {
  from: string;
  to: string;
  by: UsageView;
}

interface UsageSums extends Tokens {
  runs: number;
  turns: number;
  /** null: a model that was used has no price. */
  cost: number | null;
}

/** `name`: the day, the model, the key, the author or the automation. */
export type UsageRow = UsageSums & { name: string };

const mostBars = 92;
const size = { width: 800, height: 160, gap: 0.25 };

/** A bar per day, or per several days of a long time. Screen readers hear the sums; the table has every number. */
function renderChart(days: readonly UsageRow[], { from, to }: { from: string; to: string }): Html | false {
  const tokens = new Map(days.map(({ name, tokensIn, tokensOut }) => [name, tokensIn + tokensOut]));
  const count = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
  const perBar = Math.max(1, Math.ceil(count / mostBars));
  const bars = Array.from({ length: Math.ceil(count / perBar) }, () => 0);
  for (const [day, used] of tokens) {
    const place = Math.floor((Date.parse(day) - Date.parse(from)) / dayMs / perBar);
    bars[place] = (bars[place] ?? 0) + used;
  }
  const sum = bars.reduce((total, used) => total + used, 0);
  if (sum === 0) return false;
  const most = Math.max(...bars);
  const step = size.width / bars.length;
  const each = perBar === 1 ? 'a day' : `in ${perBar} days`;
  const dayOf = (place: number) => formatDay(Date.parse(from) + place * dayMs);
  const label = `Tokens from ${from} to ${to}: ${sum.toLocaleString('en')} in all, at most ${most.toLocaleString('en')} ${each}`;
  return html`<figure class="chart panel"><p class="scale">${short.format(most)}</p><svg role="img" aria-label="${label}" viewBox="0 0 ${size.width} ${size.height}" preserveAspectRatio="none">
${bars.map((used, index) => {
  const height = used === 0 ? 1 : Math.max(3, (used / most) * (size.height - 4));
  return html`<rect x="${(index * step + (step * size.gap) / 2).toFixed(2)}" y="${(size.height - height).toFixed(2)}" width="${(step * (1 - size.gap)).toFixed(2)}" height="${height.toFixed(2)}" rx="1.5"${used === 0 && html` class="none"`}><title>${dayOf(index * perBar)}: ${used.toLocaleString('en')}</title></rect>`;
})}
</svg><figcaption><span>${from}</span><span>Tokens ${each}</span><span>${to}</span></figcaption></figure>`;
}
