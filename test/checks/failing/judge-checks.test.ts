import { expect, test } from 'vitest';
import { type CommitChecks, judgeChecks, leaveOutOld } from '../../../src/checks/failing/judge-checks.ts';
import type { CheckRun, CommitStatus } from '../../../src/github/calls/check-calls.ts';

let lastId = 0;
function run(name: string, conclusion: string | null, more: Partial<CheckRun> = {}): CheckRun {
  lastId += 1;
  return {
    checkRunId: lastId,
    name,
    externalId: '',
    isFinished: conclusion !== null,
    conclusion,
    startedAt: new Date(lastId * 1000),
    url: null,
    appId: 1,
    appSlug: 'ci',
    title: '',
    summary: '',
    text: '',
    annotations: 0,
    ...more,
  };
}
const status = (context: string, state: string): CommitStatus => ({ context, state, description: '', url: null });
const judge = (checks: Partial<CommitChecks>) => judgeChecks({ runs: [], statuses: [], ...checks }, { appId: 9 });

test.each<[string, Partial<CommitChecks>, { failing: string[]; isPending: boolean }]>([
  ['nothing', {}, { failing: [], isPending: false }],
  ['a failure', { runs: [run('vale', 'failure')] }, { failing: ['vale'], isPending: false }],
  ['a time-out', { runs: [run('vale', 'timed_out')] }, { failing: ['vale'], isPending: false }],
  [
    'what is no failure',
    { runs: ['success', 'neutral', 'skipped', 'cancelled', 'action_required', 'stale'].map((each) => run(each, each)) },
    { failing: [], isPending: false },
  ],
  ['one that runs', { runs: [run('vale', 'failure'), run('build', null)] }, { failing: ['vale'], isPending: true }],
  [
    'a failure that was run again',
    { runs: [run('vale', 'failure'), run('vale', 'success')] },
    { failing: [], isPending: false },
  ],
  [
    'a failure that runs again, told in another order',
    { runs: [run('vale', null, { startedAt: new Date(9e12) }), run('vale', 'failure')] },
    { failing: [], isPending: true },
  ],
  [
    'two Apps with checks of one name',
    { runs: [run('docs', 'failure', { appId: 2 }), run('docs', 'success')] },
    { failing: ['docs'], isPending: false },
  ],
  ['our own check', { runs: [run('Pagewright docs', 'failure', { appId: 9 })] }, { failing: [], isPending: false }],
  [
    'our own check that runs',
    { runs: [run('Pagewright docs', null, { appId: 9 })] },
    { failing: [], isPending: false },
  ],
  [
    'statuses',
    { statuses: [status('a', 'failure'), status('b', 'error'), status('c', 'success')] },
    { failing: ['a', 'b'], isPending: false },
  ],
  ['a status that waits', { statuses: [status('a', 'pending')] }, { failing: [], isPending: true }],
])('%s', (_name, checks, { failing, isPending }) => {
  const judged = judge(checks);
  expect(judged.failing.map(({ name }) => name)).toEqual(failing);
  expect(judged.isPending).toBe(isPending);
});

test('what fails on the base is left out, by App and kind', () => {
  const head = judge({
    runs: [run('old', 'failure'), run('new', 'failure'), run('docs', 'failure', { appId: 2 })],
    statuses: [status('old', 'failure')],
  });
  const base = judge({ runs: [run('old', 'timed_out'), run('new', 'success'), run('docs', 'failure')] });
  expect(leaveOutOld(head, base).map(({ key }) => key)).toEqual(['run 1 new', 'run 2 docs', 'status old']);
});
