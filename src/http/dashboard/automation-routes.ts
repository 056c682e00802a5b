import cronstrue from 'cronstrue';
import type { Router } from 'express';
import { type AutomationState, describeAutomations } from '../../automations/describe-automations.ts';
import type { RecentMerges } from '../../automations/list-recent.ts';
import { pauseAutomation, resumeAutomation } from '../../automations/pause-automation.ts';
import { isTaken } from '../../automations/take-up.ts';
import { automationName } from '../../ids.ts';
import { settingsPath } from '../../repository/settings.ts';
import type { Project } from '../../store/tables/repositories/projects.ts';
import { describeNotRun, describeNotTaken, runAutomationBody } from '../api/automations/run-automation-endpoint.ts';
import { type Html, html } from '../pages/html.ts';
import type { HttpProblem } from '../problem.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { icon, renderCodes, renderField, renderPost, renderTime } from './frame/elements.ts';
import { pageNotFound } from './frame/page-refusal.ts';
import { readForm } from './frame/read-form.ts';
import { type DashboardPage, linkTo } from './frame/render-page.ts';
import type { PageRoutes, ProjectVisit } from './people/page-routes.ts';
import { renderMistakes } from './settings/render-mistakes.ts';

/** Shows the project's automations, and lets people who can write run, pause and resume them. */
export function createAutomationRoutes(
  { automations, config, readBody, log }: DashboardParts,
  { forWriters }: PageRoutes,
): Router {
  const { automations: address } = linkTo(':projectId');
  const { router, get, post } = forWriters();

  async function show(visit: ProjectVisit, refused?: { name: string; typed: string; problem: string }) {
    const { project, withStore } = visit;
    const listed = await withStore(({ database }) => describeAutomations(database, project.project_id));
    return automationsPage({ project, automations: listed, webUrl: config.github.webUrl, refused });
  }

  get(address, (visit) => show(visit));
  get(`${address}/:name/merged`, async (visit) => {
    const { project, signal } = visit;
    const name = nameOf(visit);
    const recent = await automations.listRecent({ projectId: project.project_id, name }, signal);
    if (recent.kind === 'unknown') throw pageNotFound();
    return mergedPage({ project, name, recent });
  });
  post(`${address}/:name/run`, async (visit) => {
    const { project, person, signal, withStore } = visit;
    const { project_id: projectId } = project;
    const name = nameOf(visit);
    const typed = ((await readForm(visit, readBody)).get(`pullRequest-${name}`) ?? '').trim();
    const refuse = (problem: string) => show(visit, { name, typed, problem });
    const parsed = runAutomationBody.safeParse(typed === '' ? {} : { pullRequest: typed });
    if (!parsed.success) return refuse('Write a pull request as owner/name#number.');
    const key = { projectId, name };
    const prepared = await automations.prepare({ key, pullRequest: parsed.data.pullRequest }, signal);
    if (prepared.kind === 'unknown') throw pageNotFound();
    if (prepared.kind !== 'prepared') return refuse(explain(describeNotRun(prepared)));
    const taken = await withStore((store) => automations.run(store, prepared, { author: person.login }));
    if (!isTaken(taken)) return refuse(explain(describeNotTaken(taken)));
    const { job_id: jobId } = taken.job;
    log.info({ projectId, name, jobId, login: person.login }, 'a person ran an automation');
    return { redirectTo: linkTo(projectId).job(jobId) };
  });
  for (const [verb, change] of [
    ['pause', pauseAutomation],
    ['resume', resumeAutomation],
  ] as const)
    post(`${address}/:name/${verb}`, async (visit) => {
      const { project, person, withStore } = visit;
      const { project_id: projectId } = project;
      const name = nameOf(visit);
      if (!(await withStore((store) => change(store, { projectId, name })))) throw pageNotFound();
      log.info({ projectId, name, verb, login: person.login }, 'a person paused or resumed an automation');
      return { redirectTo: linkTo(projectId).automations };
    });
  return router;
}

const explain = ({ message }: HttpProblem): string => message;

function nameOf({ request }: ProjectVisit): string {
  const { name } = request.params;
  if (typeof name === 'string' && automationName.test(name)) return name;
  throw pageNotFound();
}

/** `typed` and `problem`: of a form that was refused. */
interface Refused {
  name: string;
  typed: string;
  problem: string;
}

function automationsPage(options: {
  project: Project;
  automations: readonly AutomationState[];
  webUrl: string;
  refused?: Refused | undefined;
}): DashboardPage {
  const { project, automations, webUrl, refused } = options;
  const address = linkTo(project.project_id).automations;
  const body = html`
<p class="lead">Standing instructions of <code>${settingsPath}</code>, and what became of them.</p>
${renderMistakes(project, webUrl)}
${automations.length === 0 ? project.settings_problems.length === 0 && renderNone() : automations.map((one) => renderAutomation(one, { address, project, refused }))}`;
  const status = refused === undefined ? 200 : 422;
  return { status, title: 'Automations', heading: 'Automations', project, tab: 'Automations', body };
}

const renderNone = (): Html => html`<div class="empty">${icon('spark')}<h2>No automations yet</h2>
<p>An automation lets a merged pull request, a release, a schedule or a label start a run. Write it in <code>${settingsPath}</code>:</p>
<pre tabindex="0" aria-label="Example">automations:
  api-reference:
    on: {merged: acme/api, paths: [src/**]}
    prompt: Bring the reference in line with these changes.</pre></div>`;

interface Place {
  address: string;
  project: Project;
  refused: Refused | undefined;
}

function renderAutomation(automation: AutomationState, { address, project, refused }: Place): Html {
  const { name, state, problem, waiting, nextRunAt, every, prompt, passedOver } = automation;
  const own = `${address}/${name}`;
  const isPaused = state === 'paused';
  const next = nextRunAt
    ? renderTime(nextRunAt)
    : html`<span class="muted">${isPaused ? 'paused' : 'nothing waits'}</span>`;
  const more = waiting > 0 ? html` (${waiting} waiting)` : null;
  const isActive = state === 'active';
  const ownRefused = refused?.name === name ? refused : undefined;
  const act = (verb: string, label: Html | string) => renderPost({ name: label, action: `${own}/${verb}` });
  return html`<section class="automation panel" aria-labelledby="automation-${name}">
<div class="head"><h2 id="automation-${name}">${name} <span class="status status-${looks[state]}">${state}</span></h2>
<div class="actions">${isActive && automation.on.merged !== undefined && html`<a class="button quiet" href="${own}/merged">${icon('merge')}Pick from the last 30 days</a>`}
${state !== 'broken' && (isPaused ? act('resume', 'Resume') : act('pause', 'Pause'))}${isActive && act('run', html`${icon('spark')}Run now`)}</div></div>
${problem !== null && html`<p class="notice${state === 'broken' && ' bad'}">${renderCodes(problem)}</p>`}
${!isActive && ownRefused !== undefined && ownRefused.problem !== problem && html`<p class="notice bad" role="alert">${renderCodes(ownRefused.problem)}</p>`}
<table class="list"><tbody>
<tr><th scope="row">Trigger</th><td>${describeTrigger(automation)}${every !== 'merge' && `, collected for ${every === 'hour' ? 'an' : 'a'} ${every}`}</td></tr>
<tr><th scope="row">Prompt</th><td>${prompt}</td></tr>
<tr><th scope="row">Next run</th><td>${next}${more}</td></tr>
<tr><th scope="row">Last run</th><td>${renderLastRun(automation, project)}</td></tr>
</tbody></table>
${isActive && renderRun(own, name, ownRefused)}
${passedOver.length > 0 && html`<details class="fold"><summary>Passed over</summary><ul>${passedOver.map(({ occasion, at, reason }) => html`<li><strong>${occasion}</strong> ${renderTime(at)}: ${renderCodes(reason)}</li>`)}</ul></details>`}
</section>`;
}

const looks = { active: 'completed', paused: 'warning', broken: 'failed' };

/** Beside "Run now", which takes up what waits, or the prompt alone. */
const renderRun = (own: string, name: string, refused: Refused | undefined): Html =>
  html`<details class="fold"${refused && html` open`}><summary>Run it for one pull request</summary><form class="form inline" method="post" action="${own}/run">${renderField(
    { name: `pullRequest-${name}`, label: 'Pull request', problem: refused?.problem },
    (attributes) =>
      html`<input${attributes} value="${refused?.typed ?? ''}" maxlength="250" autocomplete="off" placeholder="acme/api#12" required>`,
  )}<button class="quiet">Run</button></form></details>`;

function describeTrigger({ on }: AutomationState): Html {
  if (on.merged !== undefined)
    return html`merged in <code>${on.merged}</code>${on.paths && html`, if it changes <code>${on.paths.join(', ')}</code>`}`;
  if (on.released !== undefined) return html`released in <code>${on.released}</code>`;
  if (on.schedule !== undefined)
    return html`${describeSchedule(on.schedule, on.timezone)} <code class="hint block">${on.schedule}</code>`;
  return html`label <code>${on.label}</code> on an issue${on.repository !== undefined && html` of <code>${on.repository}</code>`}`;
}

export const describeSchedule = (schedule: string, timezone = 'UTC'): string =>
  `${cronstrue.toString(schedule, { use24HourTimeFormat: true, verbose: true })} (${timezone})`;

function renderLastRun({ lastRun }: AutomationState, { project_id: projectId }: Project): Html {
  if (lastRun === null) return html`<span class="muted">none yet</span>`;
  const { jobId, at, result, sentence } = lastRun;
  return html`<a href="${linkTo(projectId).job(jobId)}">${result}</a> ${renderTime(at)}: ${renderCodes(sentence)}`;
}

function mergedPage(options: {
  project: Project;
  name: string;
  recent: Exclude<RecentMerges, { kind: 'unknown' }>;
}): DashboardPage {
  const { project, name, recent } = options;
  const { automations } = linkTo(project.project_id);
  const body = html`
<p class="lead">Pull requests that were merged in the last 30 days. <a href="${automations}">Back to all automations</a></p>
${recent.kind === 'none' ? html`<p class="notice">${renderCodes(recent.problem)}</p>` : renderMerges(recent.merges, `${automations}/${name}/run`, name)}`;
  return { title: name, heading: `Run ${name} for`, project, tab: 'Automations', body };
}

const renderMerges = (
  merges: Extract<RecentMerges, { kind: 'listed' }>['merges'],
  action: string,
  name: string,
): Html =>
  merges.length === 0
    ? html`<p class="muted">Nothing was merged.</p>`
    : html`<div class="panel"><table class="list"><thead><tr><th scope="col">Pull request</th><th scope="col">Merged</th><th scope="col"><span class="sr">Actions</span></th></tr></thead>
<tbody>${merges.map(
        ({
          reference,
          title,
          url,
          author,
          mergedAt,
        }) => html`<tr><td><a href="${url}">${reference}</a> ${title} <span class="hint">${author}</span></td>
<td class="muted">${renderTime(mergedAt)}</td>
<td class="end">${renderPost({ name: 'Run', action, fields: { [`pullRequest-${name}`]: reference } })}</td></tr>`,
      )}</tbody></table></div>`;
