import type { Project } from '../../../../store/tables/repositories/projects.ts';
import { html } from '../../../pages/html.ts';
import { icon } from '../../frame/elements.ts';
import { linkTo } from '../../frame/project-links.ts';
import type { DashboardPage } from '../../frame/render-page.ts';
import { renderTurns } from '../steps/render-turns.ts';
import type { RunTurns } from '../story/read-run-turns.ts';
import type { Prose } from '../story/render-markdown.ts';

export function runPage({
  project,
  jobId,
  run,
  turns,
  next,
  prose,
}: RunTurns & { project: Project; jobId: string; prose: Prose }): DashboardPage {
  const address = linkTo(project.project_id).job(jobId);
  const title = `Steps of run ${run.number}`;
  const body = html`<p><a href="${address}">Back to the job</a></p>
${next !== null && html`<p><a class="button quiet" rel="next" href="${address}/runs/${run.run_id}?after=${next}">Older${icon('arrow')}</a></p>`}
<div class="reading panel padded">${turns.length > 0 ? renderTurns(turns, run.run_id, { prose }) : html`<p class="muted">Pagewright removed these steps: they are older than the operator’s retention period.</p>`}</div>`;
  return { title, heading: title, project, tab: 'Jobs', body };
}
