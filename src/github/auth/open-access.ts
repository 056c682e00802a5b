import type { Repository } from '../calls/repository.ts';
import type { RepositoryClient } from '../calls/repository-client.ts';
import type { GitHubApp } from './app.ts';
import type { InstallationToken } from './mint-token.ts';
import type { Permissions } from './permissions.ts';

/** Keeps secrets out of logs and texts. */
export interface Secrets {
  hide(secret: string): void;
  forget(secret: string): void;
}

interface ClientRequest {
  /** `owner` and `repo` may be stored ones; writes need the current ones. */
  location: { installationId: number; repositoryId: number; owner: string; repo: string };
  writePatienceMs?: number | undefined;
  signal: AbortSignal;
}

export interface AccessRequest extends ClientRequest {
  permissions: Permissions;
  isForInstallation?: boolean;
}

/** A token and a client of the repository. Both end with the scope. */
export interface RepositoryAccess extends AsyncDisposable {
  token: string;
  /** Null when the server does not describe it. */
  repository: Repository | null;
  client: RepositoryClient;
}

export type MintedAccess = InstallationToken & AsyncDisposable;

type Opening = AccessRequest & { github: GitHubApp; secrets: Secrets };

/** Opens one repository with `permissions` only. At the end, a token that can write is revoked; others expire within the hour. Throws as `mintToken`. */
export async function openAccess(options: Opening): Promise<RepositoryAccess> {
  const minted = await mintAccess(options);
  return { ...minted, client: openClient({ ...options, minted }) };
}

export async function mintAccess({
  github,
  secrets,
  location: { installationId, repositoryId },
  permissions,
  isForInstallation = false,
  signal,
}: Opening): Promise<MintedAccess> {
  const target = { installationId, repositoryId: isForInstallation ? undefined : repositoryId };
  const minted = await github.mintToken({ ...target, permissions, signal });
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

export function openClient({
  github,
  minted: { token, permissions, repository },
  location: { installationId, repositoryId, ...stored },
  writePatienceMs,
  isKept = false,
  signal,
}: ClientRequest & { github: GitHubApp; minted: InstallationToken; isKept?: boolean }): RepositoryClient {
  const { owner, repo } = repository ?? stored;
  const access = { installationId, repositoryId, owner, repo, token, permissions };
  return github.repositoryClient({ ...access, writePatienceMs, isKept, signal });
}
