import type { Examined } from '../../../health/examine.ts';
import { html } from '../../pages/html.ts';
import { namePart, summarizeFindings } from '../../pages/summarize-findings.ts';
import { icon } from '../frame/elements.ts';
import type { DashboardPage } from '../frame/render-page.ts';

const pills = { broken: 'failed', warning: 'warning', ok: 'completed' } as const;

/** The broken first. */
export function doctorPage(examined: readonly Examined[]): DashboardPage {
  const { worstFirst, summary } = summarizeFindings(examined);
  const body = html`<div class="head"><h1>Doctor</h1><form method="post" action="/operator/doctor"><button class="quiet">${icon('pulse')}Run again</button></form></div>
<p class="lead">${summary}</p>
<div class="panel"><table class="list tops"><thead><tr><th scope="col">Part</th><th scope="col">State</th><th scope="col">Finding, and what to do</th></tr></thead>
<tbody>${worstFirst.map(
    (found) =>
      html`<tr><th scope="row">${namePart(found.part)}</th><td><span class="status status-${pills[found.state]}">${found.state}</span></td><td>${found.detail}${found.state !== 'ok' && html`<br><strong>${found.todo}</strong>`}</td></tr>`,
  )}</tbody></table></div>`;
  return { title: 'Doctor', isOperators: true, body };
}
