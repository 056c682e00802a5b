import type { Examined } from '../../health/examine.ts';
import { type Html, html } from '../pages/html.ts';

/** For the operator: what the doctor found. What is right is folded. */
export function writeFindings(examined: readonly Examined[]): Html {
  const order = ['broken', 'warning'];
  const wrong = examined
    .filter(({ state }) => state !== 'ok')
    .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  const right = examined.filter(({ state }) => state === 'ok');
  return html`
<h2>Doctor</h2>
<div class="panel">
${
  wrong.length === 0
    ? html`<p class="state ok">Everything that Pagewright needs works.</p>`
    : html`<p>${wrong.length === 1 ? 'One finding needs' : `${wrong.length} findings need`} your attention.</p>
<ul class="findings">${wrong.map(writeFinding)}</ul>`
}
${right.length > 0 && html`<details><summary>What is right: ${right.length}</summary><ul class="findings">${right.map(writeFinding)}</ul></details>`}
</div>
<p class="soft">Reload this page to check again.</p>`;
}

const writeFinding = (found: Examined): Html =>
  html`<li><span class="state ${found.state}">${found.state}</span> <code>${found.part}</code><p>${found.detail}</p>${found.state !== 'ok' && html`<p>${found.todo}</p>`}</li>`;
