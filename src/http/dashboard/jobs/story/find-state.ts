import type { Job } from '../../../../store/tables/jobs/jobs.ts';
import type { Verdict } from '../../../../store/tables/jobs/verdicts.ts';
import { type Html, html } from '../../../pages/html.ts';
import { icon } from '../../frame/elements.ts';

/** A job as people see it: what it does, or what it wants of them. */
const states = {
  working: 'Working',
  review: 'Ready for review',
  unchanged: 'No change needed',
  merged: 'Merged',
  closed: 'Closed',
  archived: 'Archived',
  stopped: 'Stopped',
  failed: 'Failed',
} as const;

export type JobState = keyof typeof states;

/** `code`: of its last run. */
export function findState(job: Job, code: string | null): JobState {
  switch (job.status) {
    case 'active':
      return 'working';
    case 'completed':
      return job.pull_request_number === null ? 'unchanged' : 'review';
    case 'failed':
      return code === 'cancelled' ? 'stopped' : 'failed';
    case 'archived':
      return job.archive_reason === 'merged' || job.archive_reason === 'closed' ? job.archive_reason : 'archived';
  }
}

export const nameState = (state: JobState): string => states[state];

/** Its words stand alone in their element: programs look for them. */
export const renderState = (state: JobState): Html =>
  html`<span class="status status-${state}">${states[state]}</span>`;

/** What reviewers and GitHub's checks say of a pull request, where it is known. */
export function renderVerdict({ checks, approvedBy, wantedBy }: Verdict, checksUrl?: string): Html {
  const said = checks !== null && checkWords[checks];
  const sign = said && html`${icon(said.sign)}${said.text}`;
  const look = checks === 'failing' && ' warn';
  return html`${wantedBy.length > 0 && html`<span class="fact warn">${icon('message')}Changes requested by ${listNames(wantedBy)}</span>`}
${approvedBy.length > 0 && html`<span class="fact good">${icon('check')}Approved by ${listNames(approvedBy)}</span>`}
${sign && (checksUrl === undefined ? html`<span class="fact${look}">${sign}</span>` : html`<a class="fact${look}" href="${checksUrl}">${sign}</a>`)}`;
}

const checkWords = {
  pending: { sign: 'clock', text: 'Checks on GitHub run' },
  failing: { sign: 'cross', text: 'Checks on GitHub fail' },
  passing: { sign: 'check', text: 'Checks on GitHub passed' },
} as const;

function listNames(names: readonly string[]): string {
  const [first = '', second = '', ...more] = names;
  if (second === '') return first;
  return more.length === 0 ? `${first} and ${second}` : `${first} and ${more.length + 1} others`;
}
