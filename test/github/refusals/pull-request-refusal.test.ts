import { expect, test } from 'vitest';
import { findPullRequestRefusal } from '../../../src/github/refusals/pull-request-refusal.ts';

const custom = (message: string) => ({
  message: 'Validation Failed',
  errors: [{ resource: 'PullRequest', code: 'custom', message }],
});
const invalid = (field: string) => ({
  message: 'Validation Failed',
  errors: [{ resource: 'PullRequest', field, code: 'invalid' }],
});

test.each([
  ['an existing pull request', custom('A pull request already exists for acme:pagewright/x.'), 'exists'],
  ['a branch without commits', custom('No commits between main and pagewright/x'), 'no_commits'],
  [
    'a private repository of a free plan',
    { message: 'Draft pull requests are not supported in this repository.' },
    'draft_unsupported',
  ],
  [
    'a private repository of a free plan, in the list of errors',
    custom('Draft pull requests are not supported in this repository.'),
    'draft_unsupported',
  ],
  ['a missing base', invalid('base'), 'base_missing'],
  ['a base without a commit', custom('Base sha can’t be blank'), 'base_missing'],
  ['a branch that GitHub does not see yet', invalid('head'), 'not_ready'],
  [
    'a branch that was just pushed',
    {
      message: 'Validation Failed',
      errors: ["Head sha can't be blank", "Base sha can't be blank", 'No commits between main and x'],
    },
    'not_ready',
  ],
  [
    'a branch that was just pushed, by fields',
    {
      message: 'Validation Failed',
      errors: [
        { resource: 'PullRequest', field: 'head_sha', code: 'missing_field' },
        { resource: 'PullRequest', field: 'base_sha', code: 'missing_field' },
        { resource: 'PullRequest', code: 'custom', message: 'No commits between main and pagewright/x' },
      ],
    },
    'not_ready',
  ],
  ['a pull request that is too new', custom('Could not resolve to a node with the global id of …'), 'not_ready'],
  [
    'a title that is too long',
    { message: 'Validation Failed', errors: [{ field: 'title', code: 'too_long' }] },
    undefined,
  ],
  ['a body without errors', { message: 'Validation Failed' }, undefined],
  ['a body that is no object', 'Unprocessable', undefined],
])('findPullRequestRefusal reads a 422 for %s', (_name, body, refusal) => {
  expect(findPullRequestRefusal(body)).toBe(refusal);
});
