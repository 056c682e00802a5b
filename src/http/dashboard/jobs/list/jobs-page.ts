import { isId } from '../../../../ids.ts';
import { type JobRow, nameJob } from '../../../../jobs/list-job-rows.ts';
import { mostCounted } from '../../../../store/lists/list-project-activity.ts';
import { type JobStatus, jobStatuses, type MessageSource, messageSources } from '../../../../store/tables/columns.ts';
import type { Project } from '../../../../store/tables/repositories/projects.ts';
import { type Html, html } from '../../../pages/html.ts';
import {
  icon,
  renderBehind,
  renderChoices,
  renderCounts,
  renderMenu,
  renderOlder,
  renderReload,
  renderTime,
} from '../../frame/elements.ts';
import { PageRefusal } from '../../frame/page-refusal.ts';
import { type DashboardPage, linkTo, nameProject } from '../../frame/render-page.ts';
import { renderMistakes } from '../../settings/render-mistakes.ts';
import { findState, renderState, renderVerdict } from '../story/find-state.ts';
import { fingerprint } from './follow-list.ts';
import { renderJobForm } from './job-form.ts';

export const sourceNames: Record<MessageSource, string> = {
  api: 'API',
  dashboard: 'Dashboard',
  comment: 'Comment',
  review: 'Review',
  automation: 'Automation',
  issue: 'Issue',
  checks: 'Failing checks',
};
export const jobsPerPage = 25;

/** The filters of a list of jobs. `source`: only jobs with a message of this source. */
interface ListedFilter {
  statuses: JobStatus[] | undefined;
  source: MessageSource | undefined;
  /** Only jobs that wait for a review. */
  hasPullRequest: boolean | undefined;
  text: string | undefined;
  author: string | undefined;
  after: string | undefined;
}

/** Throws a `PageRefusal` that names the allowed values. */
export function readJobFilter(query: Record<string, unknown>): ListedFilter {
  const status = readChoice(query.status, jobStatuses, 'status');
  const source = readChoice(query.source, messageSources, 'source');
  const { after } = query;
  const isPosition = after === undefined || isId('job', after);
  if (!isPosition) throw new PageRefusal(400, 'Invalid request', 'after must be the id of a job of this list.');
  const needsReview = query.needs === 'review';
  const readText = (value: unknown) =>
    typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 200) : undefined;
  return {
    statuses: needsReview ? ['completed'] : status === undefined ? undefined : [status],
    hasPullRequest: needsReview || undefined,
    source,
    text: readText(query.q),
    author: readText(query.author),
    after,
  };
}

function readChoice<Name extends string>(value: unknown, names: readonly Name[], field: string): Name | undefined {
  if (value === undefined || value === '') return undefined;
  const found = names.find((name) => name === value);
  if (found) return found;
  throw new PageRefusal(400, 'Invalid request', `${field} must be one of: ${names.join(', ')}.`);
}

export function jobsPage(options: {
  project: Project;
  webUrl: string;
  models: readonly string[];
  filter: ListedFilter;
  rows: JobRow[];
  next: string | null;
  /** How many jobs wait for a review. */
  waiting: number;
  authors: readonly string[];
}): DashboardPage {
  const { project, webUrl, models, filter, rows, next, waiting, authors } = options;
  const links = linkTo(project.project_id);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const body = html`<h1>${nameProject(project)}</h1>
${renderMistakes(project, webUrl)}
${renderJobForm({ project, models })}
${renderBehind()}
${renderReload()}
${(rows.length > 0 || isFiltered) && renderFilters(links.jobs, { filter, waiting, authors })}
<div id="jobs" data-live data-position="seen" data-events="${formatStream(links.events, filter, rows)}">${rows.length > 0 ? renderRows(links, rows) : isFiltered ? renderNothing(links.jobs) : renderEmpty(links)}</div>
${next !== null && renderOlder(`${links.jobs}?${formatQuery({ ...filter, after: next })}`)}`;
  const skips = [{ name: 'jobs', id: 'jobs' }];
  return { title: nameProject(project), project, tab: 'Jobs', body, skips };
}

/** The address of the stream that reports changes of the list after this version. */
const formatStream = (address: string, filter: ListedFilter, rows: JobRow[]): string =>
  `${address}?${formatQuery(filter)}&seen=${fingerprint(rows)}`;

const formatQuery = ({ statuses, source, hasPullRequest, text, author, after }: Partial<ListedFilter>): string =>
  new URLSearchParams(
    Object.entries({
      needs: hasPullRequest && 'review',
      status: hasPullRequest ? undefined : statuses?.[0],
      source,
      q: text,
      author,
      after,
    }).flatMap(([name, value]): [string, string][] => (value === undefined || value === false ? [] : [[name, value]])),
  ).toString();

const statusNames: Record<JobStatus, string> = {
  active: 'Working',
  completed: 'Completed',
  failed: 'Failed',
  archived: 'Archived',
};

interface Sift {
  filter: ListedFilter;
  waiting: number;
  authors: readonly string[];
}

function renderFilters(address: string, { filter, waiting, authors }: Sift): Html {
  const { statuses, source, hasPullRequest = false, text = '', author } = filter;
  const choice = (name: Html | string, changed: Partial<ListedFilter>, isCurrent: boolean) => {
    const query = formatQuery({ ...filter, after: undefined, ...changed });
    return { name, href: `${address}${query && `?${query}`}`, isCurrent };
  };
  const review = html`Needs review${waiting > 0 && html` <span class="count">${waiting >= mostCounted ? `${mostCounted}+` : waiting}</span>`}`;
  const byStatus = [
    choice(review, { statuses: ['completed'], hasPullRequest: true }, hasPullRequest),
    choice('All', { statuses: undefined, hasPullRequest: undefined }, !statuses),
    ...jobStatuses.map((status) =>
      choice(
        statusNames[status],
        { statuses: [status], hasPullRequest: undefined },
        !hasPullRequest && statuses?.[0] === status,
      ),
    ),
  ];
  const bySource = messageSources.map((name) => choice(sourceNames[name], { source: name }, source === name));
  const byAuthor = authors.map((name) => choice(name, { author: name }, author === name));
  const kept = [...new URLSearchParams(formatQuery({ ...filter, after: undefined, text: undefined }))];
  return html`<div class="sift"><nav class="filters" aria-label="Filters">
${renderChoices('Status', byStatus)}
${renderMenu('sources', source === undefined ? 'All sources' : sourceNames[source], renderChoices('Source', [choice('All sources', { source: undefined }, !source), ...bySource]))}
${renderMenu('authors', author ?? 'All authors', renderChoices('Author', [choice('All authors', { author: undefined }, !author), ...byAuthor]))}
</nav><form class="search" role="search" action="${address}"><label class="sr" for="q">Search in titles and instructions</label>${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<input type="search" id="q" name="q" value="${text}" placeholder="Search in titles and instructions"><button class="quiet" aria-label="Search">${icon('search')}</button></form></div>`;
}

const renderRows = (
  links: ReturnType<typeof linkTo>,
  rows: JobRow[],
): Html => html`<div class="panel"><table class="list jobs">
<thead><tr><th scope="col">Status</th><th scope="col">Job</th><th scope="col">Pull request</th><th scope="col">Change</th><th scope="col">Author</th><th scope="col">Updated</th></tr></thead>
<tbody>${rows.map((row) => renderRow(links, row))}</tbody>
</table></div>`;

function renderRow(links: ReturnType<typeof linkTo>, { job, first, code, updatedAt, verdict, problems }: JobRow): Html {
  const { job_id: jobId, pull_request_number: number, pull_request_url: url } = job;
  const state = findState(job, code);
  return html`<tr id="${jobId}"><td>${renderState(state)}</td>
<td class="what"><a href="${links.job(jobId)}" title="${nameJob({ job, first })}">${nameJob({ job, first })}</a>
${state === 'review' && html`<p class="facts">${problems > 0 && html`<a class="fact warn" href="${links.job(jobId)}?tab=checks">${icon('alert')}${problems === 1 ? '1 problem' : `${problems} problems`} left</a>`}${renderVerdict(verdict)}</p>`}</td>
<td>${number !== null && url !== null && html`<a class="fact" href="${url}">${icon(job.archive_reason === 'merged' ? 'merge' : 'request')}#${number}</a>`}</td>
<td class="muted">${renderSize(job)}</td>
<td class="by">${first && html`<a class="muted" href="${links.jobs}?${formatQuery({ author: first.author })}" title="${first.author}">${first.author}</a> <span class="muted source">· ${sourceNames[first.source]}</span>`}</td>
<td class="muted">${renderTime(updatedAt)}</td></tr>`;
}

const renderSize = ({ changed_files: files, additions, deletions }: JobRow['job']): Html | false =>
  files !== null &&
  additions !== null &&
  deletions !== null &&
  html`${files === 1 ? '1 file' : `${files} files`} ${renderCounts({ additions, deletions })}`;

const renderNothing = (address: string): Html =>
  html`<div class="empty">${icon('search')}<h2>No such jobs</h2><p>No job matches these filters. <a href="${address}">Show all jobs</a></p></div>`;

const renderEmpty = ({ newJob, keys }: ReturnType<typeof linkTo>): Html => html`<div class="empty">${icon('spark')}
<h2>No jobs yet</h2>
<p>Say above what readers should find. An agent edits the documentation and opens a pull request for you to review.</p>
<p><a class="button quiet" href="${newJob}?example">Try an example</a></p>
<p class="muted">For programs, maintainers <a href="${keys}">create an API key</a>.</p>
</div>`;
