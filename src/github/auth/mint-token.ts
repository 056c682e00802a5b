import { z } from 'zod';
import { fetchInstallation, type Installation } from '../calls/installation.ts';
import { type Repository, repositorySchema } from '../calls/repository.ts';
import type { GitHubConnection } from '../client/connection.ts';
import type { GitHubResponse } from '../client/failed-request.ts';
import { GitHubRefusal } from '../refusals/github-refusal.ts';
import { findMissingPermissions, type Permissions, permissionsSchema } from './permissions.ts';

/** `token` is opaque, up to a kilobyte. `repository` is null for a token for all repositories, or when the server does not describe it. */
export interface InstallationToken {
  token: string;
  permissions: Permissions;
  repository: Repository | null;
}

/** Counted from the request, because `expires_at` is by GitHub's clock.
 * https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-an-installation-access-token-for-a-github-app */
export const tokenLifeMs = 3600_000;

/** A token without id and name opens every repository of the installation. */
export interface MintRequest {
  installationId: number;
  repositoryId: number | undefined;
  /** The name, without its owner, of a repository whose id is not known yet. */
  repositoryName?: string;
  permissions: Permissions;
}

/** https://docs.github.com/en/rest/apps/apps#create-an-installation-access-token-for-an-app */
const tokenSchema = z.object({
  token: z.string().min(1),
  permissions: permissionsSchema,
  repositories: z.array(repositorySchema).catch([]),
});

/** Throws `GitHubRefusal` `installation_gone`, `installation_suspended`, `permission_missing` or `repository_gone`. auth-app ignores the base URL. */
export async function mintToken(
  connection: GitHubConnection,
  { installationId, repositoryId, repositoryName, permissions }: MintRequest,
): Promise<InstallationToken> {
  // Reading the installation finds the reason without parsing a message.
  const explain = async ({ status }: GitHubResponse, error: Error): Promise<never> => {
    const installation = await fetchInstallation(connection, installationId);
    // 403 is never about a repository that is missing: an IP allow list, for instance.
    const missing = status === 403 ? undefined : (repositoryId ?? repositoryName);
    throw findMintRefusal({ installation, permissions, repositoryId: missing, cause: error }) ?? error;
  };
  const isAskedFor = (repository: Repository) =>
    repository.repositoryId === repositoryId || repository.repo.toLowerCase() === repositoryName?.toLowerCase();
  return connection.read(
    `mint a token for installation ${installationId}`,
    async ({ rest }) => {
      const { data } = await rest.apps.createInstallationAccessToken({
        installation_id: installationId,
        permissions,
        ...(repositoryId === undefined ? {} : { repository_ids: [repositoryId] }),
        ...(repositoryName === undefined ? {} : { repositories: [repositoryName] }),
      });
      const minted = tokenSchema.parse(data);
      return {
        token: minted.token,
        permissions: minted.permissions,
        repository: minted.repositories.find(isAskedFor) ?? null,
      };
    },
    { 403: explain, 404: explain, 422: explain },
  );
}

export function findMintRefusal(options: {
  installation: Installation | undefined;
  permissions: Permissions;
  /** Or its name. */
  repositoryId: number | string | undefined;
  cause: unknown;
}): GitHubRefusal | undefined {
  const { installation, permissions, repositoryId, cause } = options;
  if (installation === undefined) return new GitHubRefusal({ reason: 'installation_gone' }, { cause });
  const { account } = installation;
  if (installation.suspendedAt !== null)
    return new GitHubRefusal({ reason: 'installation_suspended', account }, { cause });
  const required = Object.entries(permissions).map(([name, level]) => `${name}=${level}`);
  const missing = findMissingPermissions(required.join(','), installation.permissions);
  if (missing.length > 0) return new GitHubRefusal({ reason: 'permission_missing', missing, account }, { cause });
  if (repositoryId === undefined) return undefined;
  return new GitHubRefusal({ reason: 'repository_gone', account }, { cause });
}
