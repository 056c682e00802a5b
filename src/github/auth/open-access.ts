import type { Repository } from '../calls/repository.ts';
import type { RepositoryClient } from '../calls/repository-client.ts';
import type { GitHubApp } from './app.ts';
import type { InstallationToken } from './mint-token.ts';
import type { Permissions } from './permissions.ts';

/** One repository of one installation; `owner` and `repo` as they were stored, or as GitHub has them now: writes need the latter. */
export interface RepositoryPlace {
  installationId: number;
  repositoryId: number;
  owner: string;
  repo: string;
}

/** Is told of secrets, so that none of them reaches a log or a person. */
export interface Secrets {
  hide(secret: string): void;
  forget(secret: string): void;
}

export interface AccessRequest {
  place: RepositoryPlace;
  permissions: Permissions;
  /** Whether the token is for every repository of the installation, so that it serves for all that are asked about together. */
  isForInstallation?: boolean;
  /** How long a write waits for its slot before it is `Parked`. Default 30,000. */
  writePatienceMs?: number | undefined;
  signal: AbortSignal;
}

/** A token, for one repository unless it is for the installation, and a client of the repository that uses it. Both end with the scope. */
export interface Access extends AsyncDisposable {
  token: string;
  /** The repository as GitHub described it with a token for it alone; null where a server does not. */
  repository: Repository | null;
  client: RepositoryClient;
}

export type MintedAccess = InstallationToken & AsyncDisposable;

/**
 * Opens one repository for no more than `permissions`. The token is forgotten at the end; one that can write is revoked as well, while
 * one that only reads ends by itself within the hour and is not worth a request. Throws what `mintToken` throws.
 */
export async function openAccess({
  github,
  secrets,
  ...request
}: AccessRequest & { github: GitHubApp; secrets: Secrets }): Promise<Access> {
  const minted = await mintAccess({ github, secrets, ...request });
  const { token, repository } = minted;
  const client = openClient({ github, minted, ...request });
  return { token, repository, client, [Symbol.asyncDispose]: () => minted[Symbol.asyncDispose]() };
}

/** Mints the token of an `openAccess`, which ends in the same way, and opens no client. */
export async function mintAccess({
  github,
  secrets,
  place: { installationId, repositoryId },
  permissions,
  isForInstallation = false,
  signal,
}: AccessRequest & { github: GitHubApp; secrets: Secrets }): Promise<MintedAccess> {
  const wanted = { installationId, repositoryId: isForInstallation ? undefined : repositoryId };
  const minted = await github.mintToken({ ...wanted, permissions, signal });
  secrets.hide(minted.token);
  const isWriting = Object.values(permissions).some((level) => level !== 'read');
  return {
    ...minted,
    async [Symbol.asyncDispose]() {
      if (isWriting) await github.revokeToken(minted.token);
      else github.forgetToken(minted.token);
      secrets.forget(minted.token);
    },
  };
}

/** A client that uses a token of `mintAccess`, with a signal of its own. */
export function openClient({
  github,
  minted: { token, permissions, repository },
  place,
  writePatienceMs,
  isKept = false,
  signal,
}: Omit<AccessRequest, 'permissions'> & {
  github: GitHubApp;
  minted: InstallationToken;
  /** Whether the token was minted a while ago, for somebody else. */
  isKept?: boolean;
}): RepositoryClient {
  const { owner, repo } = repository ?? place;
  const { installationId, repositoryId } = place;
  const access = { installationId, repositoryId, owner, repo, token, permissions };
  return github.repositoryClient({ ...access, writePatienceMs, isKept, signal });
}
