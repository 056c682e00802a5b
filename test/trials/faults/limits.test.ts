import { expect, test } from 'vitest';
import { findCrowd, isCrowded } from '../../../trials/faults/limits.ts';
import { isWrite } from '../../../trials/faults/world/writes.ts';

const at = (...seconds: number[]) => seconds.map((second) => ({ at: new Date(second * 1000) }));

test('a write tests the bucket only after a burst', () => {
  const list = at(0, 0, 1, 1, 2, 2, 3, 60, 61, 62, 63, 64, 65, 67);
  expect(list.flatMap((_, index) => (isCrowded(list, index) ? [index] : []))).toEqual([6, 13]);
});

test('a burst, two late writes and one write a second are no crowd, one more is', () => {
  const allowed = at(0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4);
  expect(findCrowd(allowed)).toBeUndefined();
  expect(findCrowd([...allowed, ...at(4)])).toHaveLength(13);
  expect(findCrowd([...at(-60), ...allowed, ...at(4)])).toHaveLength(13);
});

test.each([
  ['a comment', 'POST', '/repos/team/docs/issues/1/comments', { body: 'query {' }, true],
  ['a change by GraphQL', 'POST', '/graphql', { query: '\n  mutation ($input: CreateCommitOnBranchInput!) {' }, true],
  ['a question by GraphQL', 'POST', '/graphql', { query: '\n  query ($owner: String!) {' }, false],
  ['a token', 'POST', '/app/installations/1/access_tokens', {}, false],
  ['a fetch', 'POST', '/team/docs.git/git-upload-pack', undefined, false],
])('whether %s is a write', (_, method, path, body, expected) => {
  expect(isWrite({ method, path, body })).toBe(expected);
});
