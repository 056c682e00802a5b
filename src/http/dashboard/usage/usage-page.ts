import type { Project } from '../../../store/tables/repositories/projects.ts';
import type { UsageGroup } from '../../../store/tables/usage/usage.ts';
import { type Html, html } from '../../pages/html.ts';
import { icon, renderField, renderOptions } from '../frame/elements.ts';
import { linkTo } from '../frame/project-links.ts';
import type { Page } from '../frame/render-page.ts';
import { renderChart } from './usage-chart.ts';
import type { UsageQuery, UsageRow, UsageSums } from './usage-row.ts';

const heads: Record<UsageGroup, string> = { day: 'Day', model: 'Model', key: 'Key' };

export function usagePage({
  project,
  query,
  rows,
  days,
  total,
}: {
  project: Project;
  query: UsageQuery;
  rows: UsageRow[];
  days: UsageRow[];
  total: UsageSums;
}): Page {
  const address = linkTo(project.project_id).usage;
  const csv = new URLSearchParams({ ...query, format: 'csv' }).toString();
  const day = (name: 'from' | 'to', label: string) =>
    renderField({ name, label }, (attributes) => html`<input${attributes} type="date" value="${query[name]}">`);
  const body = html`<div class="head"><h1>Usage</h1>${rows.length > 0 && html`<a class="button quiet" href="${address}?${csv}">${icon('download')}Download CSV</a>`}</div>
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
<div><dt>Tokens</dt><dd>${format(total.tokensIn + total.tokensOut)}</dd></div>
<div><dt>Runs</dt><dd>${format(total.runs)}</dd></div>
<div><dt>Cost</dt><dd>${formatCost(total.cost, 2)}</dd></div>
</dl>
${renderChart(days, query)}
${renderTable(rows, total, heads[query.by])}
<p class="hint">Days are in UTC. A run counts on the day it ended. ${
    total.cost === null
      ? 'There is no cost, because the operator has set no price for a model that was used.'
      : 'Cost is in the currency of the prices that the operator has set.'
  }</p>`;
  return { title: 'Usage', project, tab: 'Usage', body };
}

const format = (count: number): string => count.toLocaleString('en');
const formatCost = (cost: number | null, digits: number): string =>
  cost === null ? '–' : cost.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

function renderTable(rows: UsageRow[], total: UsageSums, head: string): Html {
  const names = ['Runs', 'Turns', 'Tokens in', 'Cached', 'Tokens out', 'Cost'];
  // The same for the whole column, so that its points are below each other.
  const digits = rows.some(({ cost }) => cost !== null && cost > 0 && cost < 1) ? 4 : 2;
  const cells = ({ runs, turns, tokensIn, tokensCached, tokensOut, cost }: UsageSums) =>
    html`${[...[runs, turns, tokensIn, tokensCached, tokensOut].map(format), formatCost(cost, digits)].map((text, place) => html`<td class="number" data-label="${names[place]}">${text}</td>`)}`;
  return html`<div class="wide panel" role="region" aria-label="Usage by ${head.toLowerCase()}" tabindex="0"><table class="list usage">
<thead><tr><th scope="col">${head}</th>${names.map((name) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr><th scope="row">${row.name}</th>${cells(row)}</tr>`)}
${rows.length === 0 && html`<tr><td colspan="7" class="muted">Nothing was used in these days.</td></tr>`}</tbody>
<tfoot><tr><th scope="row">Total</th>${cells(total)}</tr></tfoot>
</table></div>`;
}
