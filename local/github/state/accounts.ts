import type { Account } from './account.ts';
import type { World } from './world.ts';

export const findAccount = (world: Pick<World, 'accounts'>, login: string): Account | undefined =>
  world.accounts.get(login.toLowerCase());

/** Adds the account, or returns the one with this login. */
export function ensureAccount(
  world: Pick<World, 'accounts' | 'nextId'>,
  login: string,
  type: Account['type'] = 'User',
): Account {
  const existing = findAccount(world, login);
  if (existing) return existing;
  const account: Account = { id: world.nextId(), login, type };
  world.accounts.set(login.toLowerCase(), account);
  return account;
}

export function requireAccount(world: World, login: string): Account {
  const account = findAccount(world, login);
  if (!account) throw new Error(`could not find account ${login}: add it with addUser first`);
  return account;
}
