import type { JobStatus } from '../store/tables/schema.ts';

/** What can happen to a job. Facts that decide the outcome travel with the event. */
export type JobEvent =
  | { kind: 'message' }
  | { kind: 'run-ended'; outcome: 'completed' | 'failed'; isMessageWaiting: boolean }
  | { kind: 'cancel'; isMessageWaiting: boolean }
  | { kind: 'archive' }
  | { kind: 'reopen' };

/**
 * The status a job has after an event; `refused` where the event may not happen to it. Nothing else decides a status,
 * and only the stories of this folder write one.
 */
export function transition(status: JobStatus, event: JobEvent): JobStatus | 'refused' {
  if (event.kind === 'archive') return 'archived';
  if (event.kind === 'reopen') return status === 'archived' ? 'completed' : status;
  if (status === 'archived') return 'refused';
  if (event.kind === 'message') return 'active';
  if (event.kind === 'cancel') return status === 'active' && !event.isMessageWaiting ? 'failed' : status;
  if (status !== 'active') return 'refused';
  return event.isMessageWaiting ? 'active' : event.outcome;
}
