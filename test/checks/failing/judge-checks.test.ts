import { expect, test } from 'vitest';
import { type CommitChecks, judgeChecks, leaveOutOld } from '../../../src/checks/failing/judge-checks.ts';
import type { CheckRun, CommitStatus } from '../../../src/github/calls/check-calls.ts';

let lastId = 0;
function run(name: string, conclusion: string | null, more: Partial<CheckRun> = {}): CheckRun {
  lastId += 1;
  return {
    checkRunId: lastId,
    name,
    sha: 'head',
    externalId: '',
    isFinished: conclusion !== null,
    conclusion,
    startedAt: new Date(lastId * 1000),
    url: null,
    appId: 1,
    appSlug: 'ci',
    suiteId: 1,
    title: '',
    summary: '',
    text: '',
    annotations: 0,
    ...more,
  };
}
const ofActions = (conclusion: string, suiteId: number) =>
  run('build', conclusion, { appSlug: 'github-actions', suiteId });
const workflow = (suiteId: number, workflowId: number, event = 'pull_request') => ({ suiteId, workflowId, event });
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
  [
    'two workflows with checks of one name, of which the older one fails',
    { runs: [ofActions('failure', 1), ofActions('success', 2)], workflows: [workflow(1, 10), workflow(2, 20)] },
    { failing: ['build'], isPending: false },
  ],
  [
    'a workflow that another event starts, too',
    { runs: [ofActions('failure', 1), ofActions('success', 2)], workflows: [workflow(1, 10), workflow(2, 10, 'push')] },
    { failing: ['build'], isPending: false },
  ],
  [
    'a workflow that started again, for an edit of the title',
    { runs: [ofActions('failure', 1), ofActions('success', 2)], workflows: [workflow(1, 10), workflow(2, 10)] },
    { failing: [], isPending: false },
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

test('workflows are asked for only where a newer check may hide a failure', () => {
  const unclear = (...runs: CheckRun[]) => judge({ runs }).unclearOn;
  expect(unclear(ofActions('failure', 1), ofActions('success', 2))).toBe('head');
  expect(unclear(ofActions('failure', 1), ofActions('success', 1))).toBeUndefined();
  expect(unclear(ofActions('success', 1), ofActions('failure', 2))).toBeUndefined();
  expect(unclear(run('build', 'failure'), run('build', 'success', { suiteId: 2 }))).toBeUndefined();
});

test('a check that fails on the base in another workflow is not left out', () => {
  const failsIn = (workflowId: number) =>
    judge({ runs: [ofActions('failure', 1)], workflows: [workflow(1, workflowId)] });
  expect(leaveOutOld(failsIn(10), failsIn(20))).toHaveLength(1);
  expect(leaveOutOld(failsIn(10), failsIn(10))).toEqual([]);
  expect(leaveOutOld(failsIn(10), judge({ runs: [ofActions('failure', 1)] }))).toEqual([]);
});
