import { z } from 'zod';
import { fetchInstallation, type Installation } from '../calls/installation.ts';
import { type Repository, repositorySchema } from '../calls/repository.ts';
import type { Connection } from '../client/connection.ts';
import { GitHubRefusal } from '../refusals/github-refusal.ts';
import { findMissingPermissions, type Permissions, permissionsSchema } from './permissions.ts';

/**
 * An installation token, opaque and up to a kilobyte long, with what it may do. `repository` is the one that it was minted for, as it is
 * now; null when it was minted for all, or GitHub does not describe it.
 */
export interface InstallationToken {
  token: string;
  permissions: Permissions;
  repository: Repository | null;
}

/**
 * How long GitHub lets a token live: https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-an-installation-access-token-for-a-github-app
 * It is counted from when a token was asked for: `expires_at` is a time of GitHub's clock, and the clock of this machine may be wrong.
 */
export const tokenLifeMs = 3600_000;

/** `repositoryId` undefined: for every repository of the installation. */
export interface MintRequest {
  installationId: number;
  repositoryId: number | undefined;
  permissions: Permissions;
}

/** https://docs.github.com/en/rest/apps/apps#create-an-installation-access-token-for-an-app */
const tokenSchema = z.object({
  token: z.string().min(1),
  permissions: permissionsSchema,
  repositories: z.array(repositorySchema).catch([]),
});

/**
 * Mints a token that can do no more than `permissions` in `repositoryId`. GitHub is asked for it here and not by auth-app, which asks
 * api.github.com whatever the base URL is. Throws `GitHubRefusal` `installation_gone`, `installation_suspended`, `permission_missing` or
 * `repository_gone`.
 */
export async function mintToken(connection: Connection, wanted: MintRequest): Promise<InstallationToken> {
  const { installationId, repositoryId, permissions } = wanted;
  // A refusal's status says only that something is in the way; the installation itself says what, without reading any text.
  const explain = async (_answer: unknown, error: Error): Promise<never> => {
    const installation = await fetchInstallation(connection, installationId);
    throw findMintRefusal({ installation, permissions, repositoryId, cause: error }) ?? error;
  };
  return connection.read(
    `mint a token for installation ${installationId}`,
    async ({ rest }) => {
      const { data } = await rest.apps.createInstallationAccessToken({
        installation_id: installationId,
        permissions,
        ...(repositoryId === undefined ? {} : { repository_ids: [repositoryId] }),
      });
      const given = tokenSchema.parse(data);
      return {
        token: given.token,
        permissions: given.permissions,
        repository: given.repositories.find((repository) => repository.repositoryId === repositoryId) ?? null,
      };
    },
    { 403: explain, 404: explain, 422: explain },
  );
}

/** Why GitHub mints no such token for this installation, in the order in which the obstacles have to be removed. */
export function findMintRefusal(given: {
  installation: Installation | undefined;
  permissions: Permissions;
  repositoryId: number | undefined;
  cause: unknown;
}): GitHubRefusal | undefined {
  const { installation, permissions, repositoryId, cause } = given;
  if (installation === undefined) {
    return new GitHubRefusal({ reason: 'installation_gone' }, { cause });
  }
  const { account } = installation;
  if (installation.suspendedAt !== null) {
    return new GitHubRefusal({ reason: 'installation_suspended', account }, { cause });
  }
  const wanted = Object.entries(permissions).map(([name, level]) => `${name}=${level}`);
  const missing = findMissingPermissions(wanted.join(','), installation.permissions);
  if (missing.length > 0) {
    return new GitHubRefusal({ reason: 'permission_missing', missing, account }, { cause });
  }
  if (repositoryId === undefined) return undefined;
  return new GitHubRefusal({ reason: 'repository_gone', account }, { cause });
}
