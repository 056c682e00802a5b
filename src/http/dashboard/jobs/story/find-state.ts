import type { Job } from '../../../../store/tables/jobs/jobs.ts';
import { type Html, html } from '../../../pages/html.ts';

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
