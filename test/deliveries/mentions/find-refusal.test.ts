import { expect, test } from 'vitest';
import { findRefusal } from '../../../src/deliveries/mentions/read-conversation.ts';

const open = { state: 'open', merged: false, headRepositoryId: 1 } as const;

test.each<[string, Parameters<typeof findRefusal>[0], string | undefined]>([
  ['of this repository', open, undefined],
  ['from a fork', { ...open, headRepositoryId: 2 }, 'from_fork'],
  ['whose fork is deleted', { ...open, headRepositoryId: null }, 'from_fork'],
  ['that is closed', { ...open, state: 'closed' }, 'pull_request_closed'],
  ['that is merged', { ...open, state: 'closed', merged: true }, undefined],
  ['that was merged from a fork', { state: 'closed', merged: true, headRepositoryId: 2 }, undefined],
])('a pull request %s is documented, or the answer says why not', (_name, pullRequest, code) => {
  expect(findRefusal(pullRequest, { repositoryId: 1 })?.code).toBe(code);
});
