import { findCost, formatCost, type Pricing } from '../../../../config/prices.ts';
import { type Html, html } from '../../../pages/html.ts';
import { icon } from '../../frame/elements.ts';
import { renderTime } from '../../frame/render-time.ts';
import type { Story } from '../story/read-story.ts';

/** Where the job works, with what, and what it took. */
export function renderFacts({ job, first, runs }: Story, { prices, currency }: Pricing): Html {
  const tokens = runs.reduce((sum, run) => sum + run.tokens_in + run.tokens_out, 0);
  const costs = runs.map((run) =>
    findCost(prices, job.model, {
      tokensIn: run.tokens_in,
      tokensCached: run.tokens_cached,
      tokensOut: run.tokens_out,
    }),
  );
  const cost = costs.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0);
  return html`<p class="facts">
<span class="fact">${icon('branch')}<span><code>${job.branch ?? job.base}</code>${job.branch !== null && html` into <code>${job.base}</code>`}</span></span>
<span class="fact">${icon('spark')}${job.model}</span>
${tokens > 0 && html`<span class="fact">${icon('chart')}${tokens.toLocaleString('en')} tokens${cost !== null && cost > 0 && html`${' '}· ${formatCost(cost, currency)}`}</span>`}
<span class="fact">${icon('clock')}<span>${first && html`${first.author}, `}${renderTime(job.created_at)}</span></span></p>`;
}
