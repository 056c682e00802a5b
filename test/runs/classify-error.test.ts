import pg from 'pg';
import { expect, test } from 'vitest';
import { ModelUnavailable } from '../../src/agent/model/errors.ts';
import { ToolFailure } from '../../src/agent/tool.ts';
import { HandedOver, LeaseLost, Parked, StopRequested } from '../../src/errors.ts';
import { RemoteUnavailable } from '../../src/git/errors.ts';
import { AmbiguousWrite, AppKeyRefused, GitHubUnavailable } from '../../src/github/refusals/errors.ts';
import { GitHubRefusal } from '../../src/github/refusals/github-refusal.ts';
import { RunFailure } from '../../src/runs/failures.ts';
import { classifyError, classifyModelOutage } from '../../src/runs/resolve-failure.ts';
import { ConnectionLost, DatabaseTimeout } from '../../src/store/postgres/availability.ts';
import { ThreadsBusy } from '../../src/threads/threads.ts';

const sqlError = (code: string) => Object.assign(new pg.DatabaseError('a statement failed', 0, 'error'), { code });
const outage = { kind: 'wait', delayMs: 30_000, ifTooLong: { code: 'github_unavailable' } };
const giveBack = { kind: 'give_back', delayMs: 0 };
const busy = { kind: 'give_back', delayMs: 60_000 };
const noSpace = Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' });
const waitsForRoom = (what: string) => {
  const reason = `the disk of Pagewright’s ${what} is full`;
  return { kind: 'wait', delayMs: 60_000, reason, ifTooLong: { code: 'disk_full' } };
};
const databaseAway = { kind: 'give_back', delayMs: 1_000 };

test.each<[string, unknown, object]>([
  ['a stop ends the run', new StopRequested(), { kind: 'end', code: 'cancelled' }],
  [
    'a RunFailure ends the run with its sentence',
    new RunFailure('gone', 'Gone.'),
    { kind: 'end', code: 'gone', sentence: 'Gone.' },
  ],
  [
    'a suspended installation suspends the run',
    new GitHubRefusal({ reason: 'installation_suspended' }),
    { kind: 'suspended' },
  ],
  ['GitHub without an answer makes the run wait', new GitHubUnavailable('no answer'), outage],
  [
    'a key that GitHub refuses makes the run wait',
    new AppKeyRefused('could not mint a token'),
    { kind: 'wait', delayMs: 30_000, ifTooLong: { code: 'app_key_refused' } },
  ],
  ['git without an answer makes the run wait', new RemoteUnavailable('no answer'), outage],
  [
    'a model server without a usable answer makes the run wait',
    new ModelUnavailable('it answered 503'),
    { kind: 'wait_for_model', detail: 'it answered 503' },
  ],
  ['an ambiguous write makes the run wait', new AmbiguousWrite('no answer'), outage],
  ['also one under a tool', new ToolFailure('read_file', new RemoteUnavailable('no answer')), outage],
  ['a hand-over gives the run back', new HandedOver('stopping'), giveBack],
  [
    'a queue of threads that is full gives the run back',
    new ThreadsBusy('full'),
    { kind: 'give_back', delayMs: 5_000 },
  ],
  [
    'so does one that a tool meets',
    new ToolFailure('edit_file', new ThreadsBusy('full')),
    { kind: 'give_back', delayMs: 5_000 },
  ],
  ['a lost lease gives the run back', new LeaseLost('lost'), giveBack],
  ['a database that shuts down gives the run back', sqlError('57P01'), databaseAway],
  ['a deadlock gives the run back', sqlError('40P01'), databaseAway],
  ['a database without a free connection gives the run back for longer', sqlError('53300'), busy],
  ['a full disk of the database makes the run wait', sqlError('53100'), waitsForRoom('database')],
  ['a database time-out gives the run back', new DatabaseTimeout('silent'), databaseAway],
  ['a lost connection gives the run back', new ConnectionLost('lost'), databaseAway],
  ['so does one that a tool meets', new ToolFailure('finish', new ConnectionLost('lost')), databaseAway],
  ['a full disk of the worker makes the run wait', noSpace, waitsForRoom('machine')],
  ['a spent quota makes the run wait', Object.assign(new Error('quota'), { code: 'EDQUOT' }), waitsForRoom('machine')],
  ['a full disk under a tool makes the run wait', new Error('a tool', { cause: noSpace }), waitsForRoom('machine')],
  [
    'a failed cleanup does not hide what ended the work',
    new SuppressedError(new Error('could not remove'), noSpace),
    waitsForRoom('machine'),
  ],
  [
    'a refused connection gives the run back',
    Object.assign(new Error('refused'), { syscall: 'connect' }),
    databaseAway,
  ],
  ['a wrong statement is a fault', sqlError('23505'), { kind: 'fault' }],
  ['any other error is a fault', new TypeError('undefined is not a function'), { kind: 'fault' }],
  ['a thrown string is a fault', 'broken', { kind: 'fault' }],
])('%s', (_name, error, classification) => {
  expect(classifyError(error)).toMatchObject(classification);
});

test('a parked run waits, and after a day ends with the cause of the wait', () => {
  const classification = classifyError(new Parked(new Date(Date.now() + 60_000), 'the model server asked to wait'));
  if (classification.kind !== 'wait') throw new Error(`it does not wait: ${classification.kind}`);
  expect(classification.delayMs).toBeGreaterThan(59_000);
  expect(classification.delayMs).toBeLessThanOrEqual(60_000);
  expect(classification.ifTooLong.code).toBe('waited_too_long');
  expect(classification.ifTooLong.sentence).toContain('(the model server asked to wait)');
});

const minute = 60_000;
const hour = 60 * minute;
const waits = (minutes: number) => ({ kind: 'wait', delayMs: minutes * minute });

test.each([
  { downMs: 0, waitedMs: 0, becomes: waits(1) },
  { downMs: minute, waitedMs: minute, becomes: waits(2) },
  { downMs: 3 * minute, waitedMs: 3 * minute, becomes: waits(4) },
  { downMs: 7 * minute, waitedMs: 7 * minute, becomes: waits(8) },
  { downMs: 15 * minute, waitedMs: 15 * minute, becomes: waits(15) },
  { downMs: 59 * minute, waitedMs: 59 * minute, becomes: waits(15) },
  { downMs: hour, waitedMs: hour, becomes: { kind: 'end', code: 'model_unavailable' } },
  { downMs: 0, waitedMs: 23 * hour, becomes: waits(1) },
  { downMs: minute, waitedMs: 25 * hour, becomes: { kind: 'end', code: 'waited_too_long' } },
])('a model server that is down for $downMs ms of $waitedMs ms of waiting: $becomes', (given) => {
  expect(classifyModelOutage({ ...given, detail: 'it answered 503' })).toMatchObject(given.becomes);
});

test('the sentence names the model server’s error and the length of the outage', () => {
  expect(classifyModelOutage({ downMs: hour, waitedMs: hour, detail: 'it answered 503' })).toMatchObject({
    sentence:
      'The model server gave no usable answer for an hour (it answered 503). Send the instruction again when it is back.',
  });
});
