import type { Account, Grant, Role } from './account.ts';
import type { Repository, World } from './world.ts';

export const fullNameOf = (repository: Repository): string => `${repository.owner.login}/${repository.name}`;

export function findRepository(world: World, owner: string, name: string): Repository | undefined {
  const fullName = `${owner}/${name}`.toLowerCase();
  return world.repositories.values().find((repository) => fullNameOf(repository).toLowerCase() === fullName);
}

/** The repository with this former name, unless a newer one took the name. */
export function findFormerRepository(world: World, owner: string, name: string): Repository | undefined {
  const repositoryId = world.formerNames.get(`${owner}/${name}`.toLowerCase());
  return repositoryId === undefined ? undefined : world.repositories.get(repositoryId);
}

/** Finds by `owner/name`; throws when a demo or test names a repository that it did not add. */
export function requireRepository(world: World, fullName: string): Repository {
  const [owner = '', name = ''] = fullName.split('/');
  const repository = findRepository(world, owner, name);
  if (!repository) throw new Error(`could not find repository ${fullName}`);
  return repository;
}

/** The role by owner, collaborators and visibility: everyone reads a public repository. */
export function grantOf(repository: Repository, account: Account): Grant {
  if (account.id === repository.owner.id) return plainGrant('admin');
  const grant = repository.roles.get(account.login.toLowerCase());
  return grant ?? plainGrant(repository.private ? 'none' : 'read');
}

export const roleOf = (repository: Repository, account: Account): Role => grantOf(repository, account).base;

export const plainGrant = (role: Role): Grant => ({ base: role, roleName: role });

const roles: Role[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];

export const isAtLeast = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);
