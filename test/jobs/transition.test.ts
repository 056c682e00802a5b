import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JobEvent, transition } from '../../src/jobs/transition.ts';
import type { JobStatus } from '../../src/store/tables/columns.ts';

const message: JobEvent = { kind: 'message' };
const cancel: JobEvent = { kind: 'cancel', isMessageWaiting: false };
const cancelEarly: JobEvent = { kind: 'cancel', isMessageWaiting: true };
const archive: JobEvent = { kind: 'archive' };
const reopen: JobEvent = { kind: 'reopen' };
const completed: JobEvent = { kind: 'run-ended', outcome: 'completed', isMessageWaiting: false };
const failed: JobEvent = { kind: 'run-ended', outcome: 'failed', isMessageWaiting: false };
const completedEarly: JobEvent = { kind: 'run-ended', outcome: 'completed', isMessageWaiting: true };
const failedEarly: JobEvent = { kind: 'run-ended', outcome: 'failed', isMessageWaiting: true };

test.each<[string, JobStatus, JobEvent, JobStatus | 'refused']>([
  ['a message for a job at work', 'active', message, 'active'],
  ['a message for a job that is done', 'completed', message, 'active'],
  ['a message for a job that failed', 'failed', message, 'active'],
  ['a message for an archived job', 'archived', message, 'refused'],
  ['a run that ends well', 'active', completed, 'completed'],
  ['a run that fails', 'active', failed, 'failed'],
  ['a run that ends well while a message waits', 'active', completedEarly, 'active'],
  ['a run that fails while a message waits', 'active', failedEarly, 'active'],
  ['a run that ends well in a completed job', 'completed', completed, 'refused'],
  ['a run that fails in a completed job', 'completed', failed, 'refused'],
  ['a run that ends early in a completed job', 'completed', completedEarly, 'refused'],
  ['a run that fails early in a completed job', 'completed', failedEarly, 'refused'],
  ['a run that ends well in a failed job', 'failed', completed, 'refused'],
  ['a run that fails in a failed job', 'failed', failed, 'refused'],
  ['a run that ends early in a failed job', 'failed', completedEarly, 'refused'],
  ['a run that fails early in a failed job', 'failed', failedEarly, 'refused'],
  ['a run that ends well in an archived job', 'archived', completed, 'refused'],
  ['a run that fails in an archived job', 'archived', failed, 'refused'],
  ['a run that ends early in an archived job', 'archived', completedEarly, 'refused'],
  ['a run that fails early in an archived job', 'archived', failedEarly, 'refused'],
  ['a cancel of a job at work', 'active', cancel, 'failed'],
  ['a cancel of a job at work that spares a message', 'active', cancelEarly, 'active'],
  ['a cancel of a completed job', 'completed', cancel, 'completed'],
  ['a cancel of a failed job', 'failed', cancel, 'failed'],
  ['a cancel of an archived job', 'archived', cancel, 'refused'],
  ['archiving a job at work', 'active', archive, 'archived'],
  ['archiving a completed job', 'completed', archive, 'archived'],
  ['archiving a failed job', 'failed', archive, 'archived'],
  ['archiving an archived job', 'archived', archive, 'archived'],
  ['reopening a job at work', 'active', reopen, 'active'],
  ['reopening a completed job', 'completed', reopen, 'completed'],
  ['reopening a failed job', 'failed', reopen, 'failed'],
  ['reopening an archived job', 'archived', reopen, 'completed'],
])('%s: from %s', (_name, status, event, expected) => {
  expect(transition(status, event)).toBe(expected);
});

test('only a reopening unarchives a job', () => {
  const events = fc.constantFrom(message, completed, failed, completedEarly, failedEarly, cancel, archive);
  fc.assert(
    fc.property(fc.array(events), (history) => {
      const end = history.reduce<JobStatus>((status, event) => {
        const next = transition(status, event);
        return next === 'refused' ? status : next;
      }, 'archived');
      expect(end).toBe('archived');
    }),
  );
});
