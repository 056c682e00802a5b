import { isId } from '../../../ids.ts';
import { type JobRow, nameJob } from '../../../lists/list-job-rows.ts';
import { type JobStatus, jobStatuses, type MessageSource } from '../../../store/tables/columns.ts';
import type { Project } from '../../../store/tables/repositories/projects.ts';
import { type Html, html } from '../../pages/html.ts';
import { icon } from '../frame/icon.ts';
import { PageRefusal } from '../frame/page-refusal.ts';
import { linkTo, nameOf } from '../frame/project-links.ts';
import { renderBehind } from '../frame/render-behind.ts';
import type { Page } from '../frame/render-page.ts';
import { renderTime } from '../frame/render-time.ts';
import { findState, renderState } from './find-state.ts';
import { fingerprint } from './follow-list.ts';

export const sourceNames: Record<MessageSource, string> = {
  api: 'API',
  dashboard: 'Dashboard',
  comment: 'Comment',
  review: 'Review',
  automation: 'Automation',
};
const sources = ['api', 'dashboard', 'comment', 'review', 'automation'] as const satisfies MessageSource[];

export const jobsPerPage = 25;

/** The filters of a list of jobs. `source`: only jobs with a message of this source. */
interface ListedFilter {
  statuses: JobStatus[] | undefined;
  source: MessageSource | undefined;
  after: string | undefined;
}

/** Throws a `PageRefusal` that names the allowed values. */
export function readJobFilter(query: Record<string, unknown>): ListedFilter {
  const status = readChoice(query.status, jobStatuses, 'status');
  const source = readChoice(query.source, sources, 'source');
  const { after } = query;
  const isPosition = after === undefined || isId('job', after);
  if (!isPosition) throw new PageRefusal(400, 'Invalid request', 'after must be the id of a job of this list.');
  return { statuses: status === undefined ? undefined : [status], source, after };
}

function readChoice<Name extends string>(value: unknown, names: readonly Name[], field: string): Name | undefined {
  if (value === undefined || value === '') return undefined;
  const found = names.find((name) => name === value);
  if (found) return found;
  throw new PageRefusal(400, 'Invalid request', `${field} must be one of: ${names.join(', ')}.`);
}

export function jobsPage({
  project,
  filter,
  rows,
  next,
}: {
  project: Project;
  filter: ListedFilter;
  rows: JobRow[];
  next: string | null;
}): Page {
  const links = linkTo(project.project_id);
  const isFiltered = filter.statuses !== undefined || filter.source !== undefined || filter.after !== undefined;
  const body = html`<div class="head"><h1>${nameOf(project)}</h1><a class="button" href="${links.newJob}">${icon('plus')}New job</a></div>
${renderBehind()}
${(rows.length > 0 || isFiltered) && renderFilters(links.jobs, filter)}
<div id="jobs" data-live data-position="seen" data-events="${formatStream(links.events, filter, rows)}">${rows.length > 0 ? renderRows(links, rows) : isFiltered ? renderNothing(links.jobs) : renderEmpty(links)}</div>
${next !== null && html`<p><a class="button quiet" rel="next" href="${links.jobs}?${formatQuery({ ...filter, after: next })}">Older${icon('arrow')}</a></p>`}`;
  return { title: nameOf(project), project, tab: 'Jobs', body };
}

/** The address of the stream that reports changes of the list after this version. */
const formatStream = (address: string, filter: ListedFilter, rows: JobRow[]): string =>
  `${address}?${formatQuery(filter)}&seen=${fingerprint(rows)}`;

const formatQuery = ({ statuses, source, after }: ListedFilter): string =>
  new URLSearchParams([
    ...(statuses ?? []).map((status): [string, string] => ['status', status]),
    ...(source ? [['source', source] as [string, string]] : []),
    ...(after ? [['after', after] as [string, string]] : []),
  ]).toString();

function renderFilters(address: string, { statuses, source }: ListedFilter): Html {
  const link = (name: string, filter: Omit<ListedFilter, 'after'>, isCurrent: boolean) => {
    const query = formatQuery({ ...filter, after: undefined });
    return html`<li><a href="${address}${query && `?${query}`}"${isCurrent && html` aria-current="true"`}>${name}</a></li>`;
  };
  const capital = (word: string) => `${word[0]?.toUpperCase()}${word.slice(1)}`;
  return html`<nav class="filters" aria-label="Filters">
<ul aria-label="Status">${link('All', { statuses: undefined, source }, !statuses)}${jobStatuses.map((status) => link(capital(status), { statuses: [status], source }, statuses?.[0] === status))}</ul>
<ul aria-label="Source">${link('All sources', { statuses, source: undefined }, !source)}${sources.map((name) => link(sourceNames[name], { statuses, source: name }, source === name))}</ul>
</nav>`;
}

const renderRows = (
  links: ReturnType<typeof linkTo>,
  rows: JobRow[],
): Html => html`<div class="panel"><table class="list jobs">
<thead><tr><th scope="col">Status</th><th scope="col">Job</th><th scope="col">Pull request</th><th scope="col">Created</th></tr></thead>
<tbody>${rows.map((row) => renderRow(links, row))}</tbody>
</table></div>`;

function renderRow(links: ReturnType<typeof linkTo>, { job, first, code }: JobRow): Html {
  const { job_id: jobId, pull_request_number: number, pull_request_url: url } = job;
  return html`<tr id="${jobId}"><td>${renderState(findState(job, code))}</td>
<td class="what"><a href="${links.job(jobId)}">${nameJob({ job, first })}</a>
${first && html`<p class="hint">${first.author} · ${sourceNames[first.source]}</p>`}</td>
<td>${number !== null && url !== null && html`<a class="fact" href="${url}">${icon(job.archive_reason === 'merged' ? 'merge' : 'request')}#${number}</a>`}</td>
<td class="muted">${renderTime(job.created_at)}</td></tr>`;
}

const renderNothing = (address: string): Html =>
  html`<div class="empty">${icon('search')}<h2>No such jobs</h2><p>No job matches these filters. <a href="${address}">Show all jobs</a></p></div>`;

const renderEmpty = ({ newJob, keys }: ReturnType<typeof linkTo>): Html => html`<div class="empty">${icon('spark')}
<h2>No jobs yet</h2>
<p>Send the first instruction. An agent edits the documentation and opens a pull request for you to review.</p>
<p><a class="button" href="${newJob}?example">Try an example</a></p>
<p class="muted">For programs, <a href="${keys}">create an API key</a>.</p>
</div>`;
