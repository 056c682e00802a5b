import type { GitHubApp } from './app.ts';
import type { Permissions } from './permissions.ts';
import type { Repository } from './repository.ts';
import type { RepositoryClient } from './repository-client.ts';

/** One repository of one installation; `owner` and `repo` as they were stored, or as GitHub has them now: writes need the latter. */
export interface RepositoryPlace {
  installationId: number;
  repositoryId: number;
  owner: string;
  repo: string;
}

/** Where secrets are told of, so that none of them reaches a log or a person. */
export interface Secrets {
  hide(secret: string): void;
  forget(secret: string): void;
}

/** A token for one repository, and a client that uses it. Both end with the scope. */
export interface Access extends AsyncDisposable {
  token: string;
  /** The repository as GitHub described it with the token; null where a server does not. */
  repository: Repository | null;
  client: RepositoryClient;
}

/**
 * Opens one repository for no more than `permissions`. The token is forgotten at the end; one that can write is revoked as well, while
 * one that only reads ends by itself within the hour and is not worth a request. Throws what `mintToken` throws.
 */
export async function openAccess({
  github,
  secrets,
  place,
  permissions,
  signal,
}: {
  github: GitHubApp;
  secrets: Secrets;
  place: RepositoryPlace;
  permissions: Permissions;
  signal: AbortSignal;
}): Promise<Access> {
  const { installationId, repositoryId } = place;
  const minted = await github.mintToken({ installationId, repositoryId, permissions, signal });
  const { token, repository } = minted;
  secrets.hide(token);
  const { owner, repo } = repository ?? place;
  const client = github.repositoryClient({
    installationId,
    repositoryId,
    owner,
    repo,
    token,
    permissions: minted.permissions,
    signal,
  });
  const isWriting = Object.values(permissions).some((level) => level !== 'read');
  return {
    token,
    repository,
    client,
    async [Symbol.asyncDispose]() {
      if (isWriting) await github.revokeToken(token);
      secrets.forget(token);
    },
  };
}
