import { ApiError, notFound } from '../api/api-error.ts';
import type { Account } from './account.ts';
import type { Permissions } from './permissions.ts';
import type { Installation, Repository, Token, World } from './world.ts';

export const covers = (installation: Installation, repository: Repository): boolean =>
  installation.account.id === repository.owner.id &&
  (installation.repositories === 'all' || installation.repositories.has(repository.id));

export const findInstallationOf = (repository: Repository): Installation | undefined =>
  repository.world.installations.values().find((installation) => covers(installation, repository));

export const findInstallationOn = (world: World, account: Account | undefined): Installation | undefined =>
  world.installations.values().find((installation) => installation.account.id === account?.id);

export const repositoriesOf = (world: World, installation: Installation): Repository[] =>
  world.repositories
    .values()
    .filter((repository) => covers(installation, repository))
    .toArray();

export function requireInstallation(world: World, installationId: number): Installation {
  const installation = world.installations.get(installationId);
  if (!installation) throw notFound();
  return installation;
}

/** The repositories that a token reaches now; one that left the installation is gone from its tokens. */
export const repositoriesOfToken = (world: World, token: Token): Repository[] =>
  repositoriesOf(world, requireInstallation(world, token.installationId)).filter(
    ({ id }) => token.repositoryIds?.has(id) ?? true,
  );

export function refuseSuspended(installation: Installation): void {
  if (installation.suspendedAt) throw new ApiError(403, 'This installation has been suspended');
}

export const defaultPermissions: Permissions = {
  metadata: 'read',
  contents: 'write',
  pull_requests: 'write',
  issues: 'write',
  checks: 'write',
  statuses: 'read',
  deployments: 'read',
  actions: 'read',
};
