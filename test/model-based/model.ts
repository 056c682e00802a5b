import type { ArchiveReason, JobStatus, MessageState } from '../../src/store/tables/columns.ts';
import type { Fact } from './live-job.ts';
import type { Outcome } from './publish-by-hand.ts';

export interface ModelMessage {
  key: string;
  state: MessageState;
  /** When somebody wrote it, by GitHub's clock; what the API brings is dated by another, and counts as older than any stop. */
  at: number;
}

/** A pull request event as a delivery tells it. */
export interface PullRequestEvent {
  action: string;
  state: 'open' | 'closed';
  merged: boolean;
  byUs: boolean;
  updatedAt: number;
}

export interface Model {
  status: JobStatus;
  archiveReason: ArchiveReason | null;
  messages: ModelMessage[];
  run: 'none' | 'working' | 'publishing';
  isStopRequested: boolean;
  takeovers: number;
  /** `dead`: it holds a lease that ran out; nobody else has the job yet. `lost`: it holds one that was taken from it. */
  worker: 'none' | 'holds' | 'dead' | 'lost';
  /** What the one that holds the job is at; one whose lease is lost does not know it yet. */
  at: 'working' | 'publishing';
  outcome: Outcome | undefined;
  /** When the end was asked for, if that is why it is archived. */
  archivedAt: number;
  /** Somebody asked for the end, and nothing that we heard since has taken that back. */
  isArchiveRequested: boolean;
  stoppedAt: number;
  /** GitHub's date of the newest pull request event that was applied. */
  appliedAt: number;
  /** Deliveries that are done with. */
  heard: Set<string>;
}

export const createModel = (): Model => ({
  status: 'active',
  archiveReason: null,
  messages: [{ key: 'First', state: 'waiting', at: 0 }],
  run: 'none',
  isStopRequested: false,
  takeovers: 0,
  worker: 'none',
  at: 'working',
  outcome: undefined,
  archivedAt: 0,
  isArchiveRequested: false,
  stoppedAt: 0,
  appliedAt: 0,
  heard: new Set(),
});

export const isWaiting = ({ messages }: Model) => messages.some(({ state }) => state === 'waiting');

function settle(model: Model, from: MessageState, to: MessageState): void {
  for (const message of model.messages) if (message.state === from) message.state = to;
}

/** Accepted once, unless the job is archived. */
export function accept(model: Model, key: string, at = 0): void {
  if (model.status === 'archived' || model.messages.some((message) => message.key === key)) return;
  model.messages.push({ key, state: 'waiting', at });
  model.status = 'active';
}

export function take(model: Model): void {
  settle(model, 'waiting', 'taken');
}

export function endRun(model: Model, outcome: 'completed' | 'failed'): void {
  settle(model, 'taken', outcome === 'completed' ? 'answered' : 'dropped');
  Object.assign(model, { run: 'none', worker: 'none', isStopRequested: false, takeovers: 0 });
  model.status = isWaiting(model) ? 'active' : outcome;
}

export const outcomeOf = (outcome: Outcome | undefined) => (outcome === 'limit' ? 'failed' : 'completed');

/** A stop drops what waits and is no newer; a run ends by its own hand, unless nobody is at it, without what it was handed that is newer. */
export function stop(model: Model, saidAt = Number.POSITIVE_INFINITY): void {
  if (model.status !== 'active') return;
  const meant = model.messages.filter(({ state, at }) => (state === 'waiting' || state === 'taken') && at <= saidAt);
  if (meant.length === 0) return;
  for (const message of meant) if (message.state === 'waiting') message.state = 'dropped';
  if (model.run !== 'publishing')
    for (const message of model.messages)
      if (message.state === 'taken' && !meant.includes(message)) message.state = 'waiting';
  if (model.run === 'publishing' || (model.run === 'working' && model.worker === 'holds')) {
    model.isStopRequested = true;
    return;
  }
  endRun(model, 'failed');
}

export function archive(model: Model, reason: ArchiveReason, at = 0): void {
  if (reason === 'requested') model.isArchiveRequested = true;
  if (model.status === 'archived') {
    // What became of the pull request is what a later opening is held against.
    if (reason !== 'requested') model.archiveReason = reason;
    return;
  }
  settle(model, 'waiting', 'dropped');
  settle(model, 'taken', 'dropped');
  const worker = model.worker === 'holds' ? 'lost' : 'none';
  Object.assign(model, { run: 'none', isStopRequested: false, takeovers: 0, worker });
  Object.assign(model, { status: 'archived', archiveReason: reason, archivedAt: at });
}

/** The job is what the newest event says that the pull request is; `now` is how it is on GitHub, which decides between two of one second. */
export function apply(model: Model, event: PullRequestEvent, now: PullRequestEvent): void {
  const isReopened = event.action === 'reopened' && !event.byUs;
  if (event.updatedAt < model.appliedAt) {
    // What is newer has said only that it is open.
    if (isReopened && model.archiveReason === 'requested' && model.archivedAt < event.updatedAt) reopen(model);
    return;
  }
  const { state, merged, byUs, updatedAt } = event.updatedAt === model.appliedAt ? now : event;
  model.appliedAt = updatedAt;
  if (state === 'closed') {
    if (merged || !byUs) archive(model, merged ? 'merged' : 'closed');
    return;
  }
  if (model.status === 'archived' && (isReopened || model.archiveReason === 'closed')) reopen(model);
}

function reopen(model: Model): void {
  Object.assign(model, { status: 'completed', archiveReason: null, isArchiveRequested: false });
}

/** Whether a job whose pull request lived like this is archived in the end: what GitHub’s own order says, not ours. */
export function isArchivedIn({ isArchiveRequested }: Model, facts: readonly Fact[]): boolean {
  return isArchiveRequested || facts.findLast((fact) => fact !== 'closed by us') === 'closed';
}
