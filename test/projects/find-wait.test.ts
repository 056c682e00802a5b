import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Parked } from '../../src/errors.ts';
import { GitHubUnavailable } from '../../src/github/refusals/errors.ts';
import { GitHubRefusal } from '../../src/github/refusals/github-refusal.ts';
import { findWait } from '../../src/projects/find-wait.ts';
import { aboutAt } from '../support/about-at.ts';

const inMs = (ms: number) => aboutAt(new Date(Date.now() + ms));
const down = new GitHubUnavailable('no answer');
const limited = new Parked(new Date(Date.now() + 90_000), 'not now');
const suspended = new GitHubRefusal({ reason: 'installation_suspended' });

test.each<[string, Error, number, unknown]>([
  ['a limit for its end', limited, 3600_000, inMs(90_000)],
  ['a suspension for ten minutes', suspended, 0, inMs(600_000)],
  ['an outage shortly at first', down, 100, inMs(2_000)],
  ['an outage for as long again', down, 60_000, inMs(60_000)],
  ['an outage for five minutes at the most', down, 3600_000, inMs(300_000)],
  ['nothing that GitHub refuses', new GitHubRefusal({ reason: 'refused', what: 'comment', words: 'no' }), 0, undefined],
  ['no fault of ours', new Error('oops'), 0, undefined],
])('what the queue brings waits for %s', (_name, error, ageMs, expected) => {
  expect(findWait(error, { ageMs })).toEqual(expected);
});

test('a GitHub that stays silent until the time of the entry is up is waited for', async () => {
  const silent = await delay(60_000, undefined, { signal: AbortSignal.timeout(1) }).catch(({ cause }) => cause);
  expect(findWait(silent, { ageMs: 60_000 })).toEqual(inMs(60_000));
});
