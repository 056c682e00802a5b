import type { Request } from 'express';
import { isId } from '../../../../ids.ts';
import { listShownTurns, type ShownTurn } from '../../../../jobs/list-shown-turns.ts';
import type { Database } from '../../../../store/postgres/database.ts';
import { findRun, type Run } from '../../../../store/tables/jobs/runs.ts';
import type { Project } from '../../../../store/tables/repositories/projects.ts';
import { type Html, html } from '../../../pages/html.ts';
import { formatElapsed, renderOlder } from '../../frame/elements.ts';
import { pageNotFound } from '../../frame/page-refusal.ts';
import { type DashboardPage, linkTo } from '../../frame/render-page.ts';
import type { Shown } from '../story/conversation.ts';
import type { Story, StoryRun } from '../story/read-story.ts';
import type { Prose } from '../story/render-markdown.ts';
import { renderTurns } from '../story/steps-and-turns.ts';

/** Every step of the last run, with the details. */
export function renderActivity(story: Story, shown: Shown): Html {
  const last = story.runs.at(-1);
  return html`${last && renderRun(last, story, shown)}
${
  story.runs.length > 1 &&
  html`<h3>Earlier runs</h3><ul class="earlier">${story.runs
    .slice(0, -1)
    .toReversed()
    .map(
      (run) =>
        html`<li><a href="${shown.address}/runs/${run.run_id}">Run ${run.number}</a> <span class="muted">${describeRun(run)}</span></li>`,
    )}</ul>`
}`;
}

function renderRun(run: StoryRun, { turns }: Story, { address, send, prose }: Shown): Html {
  const isWhole = run.turns <= turns.length;
  return html`<h3>Run ${run.number} <span class="muted">${describeRun(run)}</span></h3>
${!isWhole && html`<p class="hint"><a href="${address}/runs/${run.run_id}">All ${run.turns} steps</a></p>`}
${turns.length > 0 ? renderTurns(turns, run.run_id, { prose, send }) : html`<p class="muted">Nothing yet.</p>`}`;
}

function describeRun(options: StoryRun) {
  const { turns, tokens_in: tokensIn, tokens_out: tokensOut, started_at: start, ended_at: end } = options;
  const tokens = tokensIn + tokensOut;
  return [
    turns === 1 ? '1 step' : `${turns} steps`,
    end && formatElapsed(end.getTime() - start.getTime()),
    tokens > 0 && `${tokens.toLocaleString('en')} tokens`,
  ]
    .filter((part) => part)
    .join(', ');
}

export function runPage(options: RunTurns & { project: Project; jobId: string; prose: Prose }): DashboardPage {
  const { project, jobId, run, turns, next, prose } = options;
  const address = linkTo(project.project_id).job(jobId);
  const title = `Steps of run ${run.number}`;
  const body = html`<p><a href="${address}">Back to the job</a></p>
${next !== null && renderOlder(`${address}/runs/${run.run_id}?after=${next}`)}
<div class="reading panel padded">${turns.length > 0 ? renderTurns(turns, run.run_id, { prose }) : html`<p class="muted">Pagewright removed these steps: they are older than the operator’s retention period.</p>`}</div>`;
  return { title, heading: title, project, tab: 'Jobs', body };
}

const turnsPerPage = 50;

interface RunTurns {
  run: Run;
  /** Oldest first. */
  turns: ShownTurn[];
  next: number | null;
}

/** A page of the turns of one run of the job. */
export async function readRunTurns(
  database: Database,
  { jobId, request, redact }: { jobId: string; request: Request; redact: (text: string) => string },
): Promise<RunTurns> {
  const runId = String(request.params.runId);
  const run = isId('run', runId) ? await findRun(database, runId) : undefined;
  if (run?.job_id !== jobId) throw pageNotFound();
  const { after } = request.query;
  const position = typeof after === 'string' && /^\d{1,9}$/.test(after) ? { after: Number(after) } : {};
  const { items, next } = await listShownTurns(database, { runId, redact }, { limit: turnsPerPage, ...position });
  return { run, turns: items.toReversed(), next };
}
