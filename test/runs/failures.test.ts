import { expect, test } from 'vitest';
import { ModelRefusal } from '../../src/agent/model/errors.ts';
import { NoProgress } from '../../src/agent/progress.ts';
import { Parked } from '../../src/errors.ts';
import { GitRefusal } from '../../src/git/errors.ts';
import { GitHubRefusal } from '../../src/github/refusals/github-refusal.ts';
import { findFailedEnd, RunFailure } from '../../src/runs/failures.ts';
import { WorkspaceRefusal } from '../../src/workspace/workspace-refusal.ts';

const what = 'comment on pull request 7 of acme/docs';
const missing = ['issues=write'];
const paths = ['1', '2', '3', '4', '5', '6'];
const maxBytes = 5 * 1024 ** 2;

test.each<[Error, string, string]>([
  [new RunFailure('conflict', 'Others push.'), 'conflict', 'Others push.'],
  [new GitHubRefusal({ reason: 'installation_gone' }), 'installation_gone', 'Install it again.'],
  [new GitHubRefusal({ reason: 'permission_missing', missing, what }), 'permission_missing', `${what}: the App lacks`],
  [new GitHubRefusal({ reason: 'permission_missing', missing, account: 'acme' }), 'permission_missing', 'issues=write'],
  [new GitHubRefusal({ reason: 'repository_gone', account: 'acme' }), 'repository_gone', 'Add it to the installation.'],
  [new GitHubRefusal({ reason: 'repository_gone', repository: 'acme/docs' }), 'repository_gone', 'acme/docs'],
  [new GitHubRefusal({ reason: 'not_found', what }), 'not_found', what],
  [new GitHubRefusal({ reason: 'refused', what, words: 'no' }), 'github_refused', `GitHub refused to ${what}: no.`],
  [new GitRefusal({ reason: 'repository_gone', status: 404 }), 'repository_gone', 'answered 404'],
  [new GitRefusal({ reason: 'repository_empty' }), 'repository_empty', 'Push a first commit'],
  [new GitRefusal({ reason: 'branch_missing', branch: 'next' }), 'branch_missing', 'no branch next'],
  [new GitRefusal({ reason: 'repository_too_large', maxBytes }), 'repository_too_large', 'more than 5 MiB'],
  [new GitRefusal({ reason: 'repository_too_large', maxBytes, maxFiles: 9 }), 'repository_too_large', '9 files and'],
  [new GitRefusal({ reason: 'repository_invalid' }), 'repository_invalid', 'malformed or dangerous'],
  [new WorkspaceRefusal({ reason: 'base_rewritten' }), 'base_rewritten', 'force-push'],
  [new WorkspaceRefusal({ reason: 'protected_paths', paths }), 'protected_paths', '(1, 2, 3, 4, 5, …)'],
  [new WorkspaceRefusal({ reason: 'earlier_write_refused', detail: 'x is new' }), 'protected_paths', 'x is new'],
  [new ModelRefusal({ reason: 'model_context', model: 'm-1' }), 'model_context', 'm-1'],
  [new NoProgress('empty_answers'), 'model_invalid', 'twice in a row'],
  [new NoProgress('repeated_steps'), 'stuck', 'the same steps'],
])('%s ends a run with the code %s', (error, code, words) => {
  expect(findFailedEnd(error)).toEqual({ code, sentence: expect.stringContaining(words) });
  expect(findFailedEnd(error)?.sentence).toMatch(/^[A-Z].*\.$/);
});

test.each([
  new Parked(new Date(), 'a limit'),
  new GitHubRefusal({ reason: 'installation_suspended', account: 'acme' }),
  new Error('oops'),
  'oops',
])('%s ends no run', (error) => {
  expect(findFailedEnd(error)).toBeUndefined();
});
