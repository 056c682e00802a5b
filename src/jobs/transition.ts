import type { JobStatus } from '../store/tables/columns.ts';

export type JobEvent =
  | { kind: 'message' }
  | { kind: 'run-ended'; outcome: 'completed' | 'failed'; isMessageWaiting: boolean }
  | { kind: 'cancel'; isMessageWaiting: boolean }
  | { kind: 'archive' }
  | { kind: 'reopen' };

/** The only place that decides a job's status; only this folder writes it. `refused`: the event is not allowed in this status. */
export function transition(status: JobStatus, event: { kind: 'archive' | 'reopen' }): JobStatus;
export function transition(status: 'active', event: JobEvent): JobStatus;
export function transition(status: JobStatus, event: JobEvent): JobStatus | 'refused';
export function transition(status: JobStatus, event: JobEvent): JobStatus | 'refused' {
  if (event.kind === 'archive') return 'archived';
  if (event.kind === 'reopen') return status === 'archived' ? 'completed' : status;
  if (status === 'archived') return 'refused';
  if (event.kind === 'message') return 'active';
  if (event.kind === 'cancel') return status === 'active' && !event.isMessageWaiting ? 'failed' : status;
  if (status !== 'active') return 'refused';
  return event.isMessageWaiting ? 'active' : event.outcome;
}
