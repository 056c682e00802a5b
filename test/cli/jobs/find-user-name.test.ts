import { expect, test } from 'vitest';
import { findUserName } from '../../../src/cli/jobs/find-user-name.ts';

const nameless = () => {
  throw new Error('uv_os_get_passwd returned ENOENT');
};

test.each([
  ['the environment', { USER: 'rita' }, nameless, /^rita$/],
  ['the system', {}, () => ({ username: 'paul' }), /^paul$/],
  ['its id, where that has no name', {}, nameless, /^uid \d+$/],
] as const)('who asks is named by %s', (_what, environment, readUser, name) => {
  expect(findUserName(environment, readUser)).toMatch(name);
});
