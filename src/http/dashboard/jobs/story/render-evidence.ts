import { type Html, html } from '../../../pages/html.ts';
import { readShownPublication, type StoryRun } from './read-story.ts';

/** What the change of a run rests on, by page. False: the agent named nothing. */
export function renderEvidence(run: StoryRun): Html | false {
  const evidence = readShownPublication(run)?.evidence ?? [];
  if (evidence.length === 0) return false;
  const pages = [...Map.groupBy(evidence, ({ page }) => page)];
  return html`<details class="fold" id="${run.run_id}-evidence"><summary>Evidence: ${evidence.length === 1 ? '1 place' : `${evidence.length} places`}</summary>
${pages.map(
  ([page, places]) =>
    html`<p><code>${page}</code></p><ul>${places.map(
      ({ claim, repository, path, lines, url, isShown }) =>
        html`<li>${claim} <a href="${url}"><code>${repository}/${path}${lines !== null && html`:${lines.from === lines.to ? lines.from : `${lines.from}-${lines.to}`}`}</code></a>${!isShown && html` <span class="muted">Not in the pull request: not all of its readers may open it.</span>`}</li>`,
    )}</ul>`,
)}</details>`;
}
