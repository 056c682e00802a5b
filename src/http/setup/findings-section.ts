import type { Examined } from '../../health/examine.ts';
import { type Html, html } from '../pages/html.ts';
import { namePart, summarizeFindings } from '../pages/summarize-findings.ts';

/** The findings of the doctor, for the operator. Parts that work are folded. */
export function writeFindings(examined: readonly Examined[]): Html {
  const { worstFirst, summary } = summarizeFindings(examined);
  const wrong = worstFirst.filter(({ state }) => state !== 'ok');
  const right = worstFirst.filter(({ state }) => state === 'ok');
  return html`
<h2>Doctor</h2>
<div class="panel">
${
  wrong.length === 0
    ? html`<p class="state ok">${summary}</p>`
    : html`<p>${summary}</p>
<ul class="findings">${wrong.map(writeFinding)}</ul>`
}
${right.length > 0 && html`<details><summary>${right.length === 1 ? '1 check passed' : `${right.length} checks passed`}</summary><ul class="findings">${right.map(writeFinding)}</ul></details>`}
</div>
<p class="soft">Reload this page to check again.</p>`;
}

const writeFinding = (found: Examined): Html =>
  html`<li><span class="state ${found.state}">${found.state}</span> <strong>${namePart(found.part)}</strong><p>${found.detail}</p>${found.state !== 'ok' && html`<p>${found.todo}</p>`}</li>`;

/** Concurrent calls share one call of `ask`. A result is reused for `keepMs`; an error is not. */
export function shareAnswer<Answer>(ask: () => Promise<Answer>, { keepMs = 0 } = {}): () => Promise<Answer> {
  let shared: Promise<Answer> | undefined;
  return () => {
    shared ??= begin();
    return shared;
  };

  function begin(): Promise<Answer> {
    const asking = ask();
    const forget = () => {
      shared = undefined;
    };
    asking.then(() => (keepMs > 0 ? setTimeout(forget, keepMs).unref() : forget()), forget);
    return asking;
  }
}
