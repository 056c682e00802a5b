import type { Examined } from '../../../health/examine.ts';
import { html } from '../../pages/html.ts';
import type { Page } from '../frame/render-page.ts';

/** The broken first. */
export function doctorPage(examined: readonly Examined[]): Page {
  const states = ['broken', 'warning', 'ok'];
  const rows = examined.toSorted((a, b) => states.indexOf(a.state) - states.indexOf(b.state));
  const body = html`
<div class="panel"><table class="list"><thead><tr><th scope="col">Part</th><th scope="col">State</th><th scope="col">Finding, and what to do</th></tr></thead>
<tbody>${rows.map(
    (found) =>
      html`<tr><th scope="row"><code>${found.part}</code></th><td>${found.state}</td><td>${found.detail}${found.state !== 'ok' && html`<br>${found.todo}`}</td></tr>`,
  )}</tbody></table></div>
<p><a class="button quiet" href="/operator">Operator</a></p>`;
  return { title: 'Doctor', heading: 'Doctor', isOperators: true, body };
}
