import { expect, test } from 'vitest';
import { findMissingPermissions, permissionsSchema } from '../../../src/github/auth/permissions.ts';

test.each([
  ['a permission that is not granted', 'pull_requests=write', {}, ['pull_requests=write']],
  ['a level that is too low', 'contents=write', { contents: 'read' }, ['contents=write']],
  ['a level that is higher', 'contents=read', { contents: 'write' }, []],
  ['the part of a pair that lacks', 'contents=write,workflows=write', { contents: 'write' }, ['workflows=write']],
  ['one alternative of two', 'issues=write; pull_requests=write', { pull_requests: 'write' }, []],
  [
    'the alternative that lacks least',
    'issues=write,checks=write; contents=write',
    { metadata: 'read' },
    ['contents=write'],
  ],
  ['an endpoint that needs none', 'allows_permissionless_access=true', {}, []],
  ['no header', '', {}, []],
] as const)('%s', (_name, accepted, granted, missing) => {
  expect(findMissingPermissions(accepted, granted)).toEqual(missing);
});

test('an unknown level counts as not granted', () => {
  expect(permissionsSchema.parse({ contents: 'write', pages: 'maintain' })).toEqual({ contents: 'write' });
});
