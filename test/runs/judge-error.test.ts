import pg from 'pg';
import { expect, test } from 'vitest';
import { HandedOver, LeaseLost, Parked, RunFailure, StopRequested } from '../../src/errors.ts';
import { AmbiguousWrite } from '../../src/github/ambiguous-write.ts';
import { GitHubUnavailable } from '../../src/github/github-unavailable.ts';
import { judgeError } from '../../src/runs/judge-error.ts';
import { DatabaseSilent } from '../../src/store/availability.ts';

const sqlError = (code: string) => Object.assign(new pg.DatabaseError('a statement failed', 0, 'error'), { code });
const outage = { kind: 'wait', delayMs: 30_000, ifTooLong: { code: 'github_unavailable' } };
const giveBack = { kind: 'give_back', delayMs: 0 };
const databaseAway = { kind: 'give_back', delayMs: 1_000 };

test.each<[string, unknown, object]>([
  ['a stop ends the run', new StopRequested('stop'), { kind: 'end', code: 'cancelled' }],
  [
    'a failure ends it in its own words',
    new RunFailure('gone', 'Gone.'),
    { kind: 'end', code: 'gone', sentence: 'Gone.' },
  ],
  ['a suspended installation holds it up', new RunFailure('installation_suspended', 'Off.'), { kind: 'suspended' }],
  ['GitHub without an answer is waited for', new GitHubUnavailable('no answer'), outage],
  ['a write without a clear answer is waited for', new AmbiguousWrite('no answer'), outage],
  ['a hand-over gives it back', new HandedOver('stopping'), giveBack],
  ['a lost lease gives it back', new LeaseLost('lost'), giveBack],
  ['a database that shuts down gives it back', sqlError('57P01'), databaseAway],
  ['a deadlock gives it back', sqlError('40P01'), databaseAway],
  ['a silent database gives it back', new DatabaseSilent('silent'), databaseAway],
  ['a refused connection gives it back', Object.assign(new Error('refused'), { syscall: 'connect' }), databaseAway],
  ['a statement that is wrong is a fault', sqlError('23505'), { kind: 'fault' }],
  ['any other error is a fault', new TypeError('undefined is not a function'), { kind: 'fault' }],
  ['what is no error is a fault', 'broken', { kind: 'fault' }],
])('%s', (_name, error, judgement) => {
  expect(judgeError(error)).toMatchObject(judgement);
});

test('a parked run waits until then, and after a day of it says what it waited for', () => {
  const judgement = judgeError(new Parked(new Date(Date.now() + 60_000), 'the model server asked to wait'));
  if (judgement.kind !== 'wait') throw new Error(`it does not wait: ${judgement.kind}`);
  expect(judgement.delayMs).toBeGreaterThan(59_000);
  expect(judgement.delayMs).toBeLessThanOrEqual(60_000);
  expect(judgement.ifTooLong.code).toBe('waited_too_long');
  expect(judgement.ifTooLong.sentence).toContain('(the model server asked to wait)');
});
