import { type Html, html } from '../../../pages/html.ts';
import { icon } from '../../frame/elements.ts';
import { listProblems } from '../story/list-problems.ts';
import type { Story, StoryRun } from '../story/read-story.ts';

const severities = {
  must: html`<span class="tag bad">error</span>`,
  should: html`<span class="tag">warning</span>`,
};

/** What the checks found in each run, the newest first: what stayed in the change, and what went back to the agent. */
export function renderChecks(story: Story): Html {
  const found = story.runs.toReversed().map((run) => renderRun(run, story));
  return html`${renderFailing(story.verdict)}${found.some((run) => run !== false) ? found : html`<div class="empty small">${icon('shield')}<p>The checks of Pagewright report no problem.</p></div>`}`;
}

function renderRun(run: StoryRun, story: Story): Html | false {
  const { problems, more, notChecked } = listProblems(run, story);
  const isClean = problems.length + more === 0;
  if (isClean && notChecked.length === 0) return false;
  return html`<section class="checks panel padded" id="${run.run_id}-checks"><h3>Run ${run.number}</h3>
${
  isClean
    ? html`<p class="clean">${icon('check')}No problem was found.</p>`
    : html`<ul>${problems.map(
        ({ file, line, message, severity, sentBack, explanation }) =>
          html`<li${sentBack !== true && html` class="left"`}>${icon(sentBack === true ? 'message' : 'alert')}<div><p>${message}</p>
<p class="hint"><code>${file}:${line}</code> ${severity !== undefined && severities[severity]} ${sentBack === true ? 'Sent back to the agent.' : 'Left in the change.'}</p>${explanation !== null && html`<p class="hint">Explained: ${explanation}</p>`}</div></li>`,
      )}</ul>`
}${more > 0 && html`<p class="muted">${more} more.</p>`}
${notChecked.map((sentence) => html`<p class="hint">${sentence}</p>`)}</section>`;
}

/** The checks of GitHub that fail. Their names and addresses come from other Apps. */
const renderFailing = ({ failing }: Story['verdict']): Html | false =>
  failing.length > 0 &&
  html`<section class="checks panel padded" id="checks-on-github"><h3>On GitHub</h3><ul>${failing.map(
    ({ name, url }) =>
      html`<li class="left">${icon('cross')}<p>${url !== null && /^https?:\/\//.test(url) ? html`<a href="${url}" rel="noreferrer nofollow">${name}</a>` : name} <span class="muted">fails</span></p></li>`,
  )}</ul></section>`;
