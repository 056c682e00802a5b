import { formatCost } from '../../../config/prices.ts';
import type { Project } from '../../../store/tables/repositories/projects.ts';
import type { BudgetState } from '../../../store/tables/usage/budget.ts';
import { type Html, html } from '../../pages/html.ts';
import { icon, renderField, renderOptions } from '../frame/elements.ts';
import { linkTo } from '../frame/project-links.ts';
import type { DashboardPage } from '../frame/render-page.ts';
import { renderTime } from '../frame/render-time.ts';
import { renderChart } from './usage-chart.ts';
import type { UsageQuery, UsageRow, UsageSums, UsageView } from './usage-row.ts';

const heads: Record<UsageView, string> = {
  day: 'Day',
  author: 'Author',
  automation: 'Automation',
  model: 'Model',
  key: 'Key',
};

export function usagePage({
  project,
  query,
  presets,
  rows,
  days,
  total,
  currency,
  budget,
}: {
  project: Project;
  query: UsageQuery;
  presets: { name: string; from: string; to: string }[];
  rows: UsageRow[];
  days: UsageRow[];
  total: UsageSums;
  currency: string;
  budget: BudgetState | undefined;
}): DashboardPage {
  const address = linkTo(project.project_id).usage;
  const csv = new URLSearchParams({ ...query, format: 'csv' }).toString();
  const day = (name: 'from' | 'to', label: string) =>
    renderField({ name, label }, (attributes) => html`<input${attributes} type="date" value="${query[name]}">`);
  const format = (cost: number | null) => (cost === null ? '–' : formatCost(cost, currency));
  const body = html`<div class="head"><h1>Usage</h1>${rows.length > 0 && html`<a class="button quiet" href="${address}?${csv}">${icon('download')}Download CSV</a>`}</div>
<nav class="filters" aria-label="Days"><ul>${presets.map(({ name, from, to }) => {
    const isCurrent = from === query.from && to === query.to;
    const asked = new URLSearchParams({ from, to, by: query.by }).toString();
    return html`<li><a href="${address}?${asked}"${isCurrent && html` aria-current="true"`}>${name}</a></li>`;
  })}</ul></nav>
<form class="form inline" method="get" action="${address}">
${day('from', 'From')}${day('to', 'To')}
${renderField(
  { name: 'by', label: 'By' },
  (attributes) =>
    html`<select${attributes}>${renderOptions(
      Object.entries(heads).map(([value, label]) => [value, label] as const),
      query.by,
    )}</select>`,
)}
<button class="quiet">Show</button>
</form>
<dl class="figures">
<div><dt>Cost</dt><dd>${format(total.cost)}</dd></div>
<div><dt>Runs</dt><dd>${total.runs.toLocaleString('en')}</dd></div>
<div><dt>Tokens</dt><dd>${renderTokens(total)}</dd></div>
${budget && renderBudget(budget)}
</dl>
${renderChart(days, query)}
${renderTable(rows, { total, head: heads[query.by], format })}
<p class="hint">Days are in UTC. A run counts on the day it ended. ${
    total.cost === null
      ? 'There is no cost, because the operator has set no price for a model that was used.'
      : 'Cost is by the prices that the operator has set.'
  }</p>`;
  return { title: 'Usage', project, tab: 'Usage', body };
}

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
