import type { Account } from '../state/account.ts';
import type { Person } from './write-commit.ts';

/** GitHub's address for an account that hides its own. */
export const noreplyOf = ({ id, login }: Account): Person => ({
  name: login,
  email: `${id}+${login}@users.noreply.github.com`,
});
