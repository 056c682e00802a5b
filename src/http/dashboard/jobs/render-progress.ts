import type { Progress } from '../../../store/lists/list-progress.ts';
import { type Html, html } from '../../pages/html.ts';
import { icon } from '../frame/icon.ts';

/** The files that a live run has changed so far. */
export const renderFiles = (files: Progress['files']): Html | false =>
  files.length > 0 &&
  html`<div class="so-far panel"><p class="hint">Changed so far</p><ul>${files.map(
    ({ path, additions, deletions }) =>
      html`<li>${icon('pencil')}<code>${path}</code> ${additions !== null && deletions !== null && renderCounts({ additions, deletions })}</li>`,
  )}</ul></div>`;

export const renderCounts = ({ additions, deletions }: { additions: number; deletions: number }): Html =>
  html`<span class="counts"><span class="plus"><span class="sr">Added lines: </span>+${additions}</span> <span class="minus"><span class="sr">removed lines: </span>−${deletions}</span></span>`;

interface Problem {
  file: string;
  line: number;
  message: string;
  severity?: 'must' | 'should';
  sentBack?: boolean;
  explanation?: string | null;
}

const severities = {
  must: html` <span class="tag bad">error</span>`,
  should: html` <span class="tag">warning</span>`,
};

/** The problems that the checks found, and whether they were fixed. `more`: problems that are not listed. */
export function renderProblems({
  id,
  problems,
  more,
  isOpen,
}: {
  id: string;
  problems: readonly Problem[];
  more: number;
  isOpen: boolean;
}): Html | false {
  const count = problems.length + more;
  if (count === 0) return false;
  return html`<details class="checks fold" id="${id}"${isOpen && html` open`}><summary>${icon('shield')}${count === 1 ? '1 problem' : `${count} problems`} found by the checks</summary>
<ul>${problems.map(
    ({ file, line, message, severity, sentBack, explanation = null }) =>
      html`<li><code>${file}:${line}</code>${severity !== undefined && severities[severity]} ${message} <span class="muted">${sentBack === true ? 'Sent back to the agent.' : 'Left in the change.'}</span>${explanation !== null && html` Explained: ${explanation}`}</li>`,
  )}</ul></details>`;
}
