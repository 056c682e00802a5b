import { type Html, html } from '../../pages/html.ts';
import type { UsageRow } from './usage-row.ts';

const dayMs = 24 * 3600_000;
const mostBars = 92;
const size = { width: 800, height: 160, gap: 0.25 };

/** A bar per day, or per several days of a long time. Screen readers hear the sums; the table has every number. */
export function renderChart(days: readonly UsageRow[], { from, to }: { from: string; to: string }): Html {
  const tokens = new Map(days.map(({ name, tokensIn, tokensOut }) => [name, tokensIn + tokensOut]));
  const count = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
  const perBar = Math.max(1, Math.ceil(count / mostBars));
  const bars = Array.from({ length: Math.ceil(count / perBar) }, () => 0);
  for (const [day, used] of tokens) {
    const place = Math.floor((Date.parse(day) - Date.parse(from)) / dayMs / perBar);
    bars[place] = (bars[place] ?? 0) + used;
  }
  const most = Math.max(...bars, 1);
  const sum = bars.reduce((total, used) => total + used, 0);
  const step = size.width / bars.length;
  const dayOf = (place: number) => new Date(Date.parse(from) + place * dayMs).toISOString().slice(0, 10);
  const label = `Tokens from ${from} to ${to}: ${sum.toLocaleString('en')} in all, at most ${(sum === 0 ? 0 : most).toLocaleString('en')} ${perBar === 1 ? 'a day' : `in ${perBar} days`}`;
  return html`<figure class="chart panel">${sum > 0 && html`<p class="scale">${most.toLocaleString('en')}</p>`}<svg role="img" aria-label="${label}" viewBox="0 0 ${size.width} ${size.height}" preserveAspectRatio="none">
${bars.map((used, index) => {
  const height = used === 0 ? 1 : Math.max(3, (used / most) * (size.height - 4));
  return html`<rect x="${(index * step + (step * size.gap) / 2).toFixed(2)}" y="${(size.height - height).toFixed(2)}" width="${(step * (1 - size.gap)).toFixed(2)}" height="${height.toFixed(2)}" rx="1.5"${used === 0 && html` class="none"`}><title>${dayOf(index * perBar)}: ${used.toLocaleString('en')}</title></rect>`;
})}
</svg><figcaption><span>${from}</span><span>Tokens ${perBar === 1 ? 'a day' : `in ${perBar} days`}</span><span>${to}</span></figcaption></figure>`;
}
