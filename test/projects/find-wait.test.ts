import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Parked } from '../../src/errors.ts';
import { GitHubUnavailable } from '../../src/github/refusals/errors.ts';
import { GitHubRefusal } from '../../src/github/refusals/github-refusal.ts';
import { findWait } from '../../src/projects/find-wait.ts';
import { aboutAt } from '../support/values/about-at.ts';

const inMs = (ms: number) => aboutAt(new Date(Date.now() + ms));
const down = new GitHubUnavailable('no answer');
const limited = new Parked(new Date(Date.now() + 90_000), 'not now');
const suspended = new GitHubRefusal({ reason: 'installation_suspended' });

test.each<[string, Error, number, unknown]>([
  ['until a rate limit ends', limited, 3600_000, inMs(90_000)],
  ['ten minutes after a suspension', suspended, 0, inMs(600_000)],
  ['briefly at the start of an outage', down, 100, inMs(2_000)],
  ['as long again in an outage', down, 60_000, inMs(60_000)],
  ['at most five minutes in an outage', down, 3600_000, inMs(300_000)],
  ['not at all after a refusal', new GitHubRefusal({ reason: 'refused', what: 'comment', words: 'no' }), 0, undefined],
  ['not at all after an internal error', new Error('oops'), 0, undefined],
])('a queue entry waits %s', (_name, error, ageMs, expected) => {
  expect(findWait(error, { ageMs })).toEqual(expected);
});

test('an entry that times out without an answer from GitHub waits', async () => {
  const silent = await delay(60_000, undefined, { signal: AbortSignal.timeout(1) }).catch(({ cause }) => cause);
  expect(findWait(silent, { ageMs: 60_000 })).toEqual(inMs(60_000));
});
