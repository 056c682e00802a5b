import { randomBytes } from 'node:crypto';
import { ApiError } from '../api/api-error.ts';
import { requireApp } from '../apps/require-app.ts';
import { refuseSuspended, repositoriesOf } from '../state/installations.ts';
import { hasPermission, type Permissions } from '../state/permissions.ts';
import type { Installation, Token, World } from '../state/world.ts';

const lifetimeMs = 60 * 60_000;

/**
 * Mints an installation token, narrowed to repositories and permissions on request; 422 for more than the installation has.
 * https://docs.github.com/en/rest/apps/apps#create-an-installation-access-token-for-an-app
 */
export function mintToken(
  world: World,
  installation: Installation,
  narrowing: { repositories?: string[]; repositoryIds?: number[]; permissions?: Permissions },
): Token {
  refuseSuspended(installation);
  for (const [name, level] of Object.entries(narrowing.permissions ?? {})) {
    if (hasPermission(installation.permissions, name, level)) continue;
    throw new ApiError(422, 'The permissions requested are not granted to this installation.');
  }
  const token: Token = {
    value: newTokenValue(requireApp(world).id),
    installationId: installation.id,
    repositoryIds: narrowRepositories(world, installation, narrowing),
    permissions: narrowing.permissions
      ? { metadata: 'read', ...narrowing.permissions }
      : { ...installation.permissions },
    expiresAt: new Date(Math.floor(world.clock().getTime() / 1000) * 1000 + lifetimeMs),
  };
  world.tokens.set(token.value, token);
  return token;
}

function narrowRepositories(
  world: World,
  installation: Installation,
  narrowing: { repositories?: string[]; repositoryIds?: number[] },
): Set<number> | null {
  if (!narrowing.repositories && !narrowing.repositoryIds) return null;
  const reachable = repositoriesOf(world, installation);
  const byId = (narrowing.repositoryIds ?? []).map((id) => reachable.find((repository) => repository.id === id));
  const byName = (narrowing.repositories ?? []).map((name) =>
    reachable.find((repository) => repository.name.toLowerCase() === name.toLowerCase()),
  );
  const chosen = [...byId, ...byName].map((repository) => {
    if (repository) return repository.id;
    throw new ApiError(
      422,
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    );
  });
  return new Set(chosen);
}

/** A live token, or undefined when it is unknown, revoked, expired, or its installation is gone. */
export function findToken(world: World, value: string): Token | undefined {
  const token = world.tokens.get(value);
  if (!token || token.expiresAt <= world.clock() || !world.installations.has(token.installationId)) return undefined;
  return token;
}

/**
 * Has the length and characters of GitHub's stateless tokens, so that a column, a header or a redaction that is
 * too narrow fails here first: https://github.blog/changelog/2026-05-15-github-app-installation-tokens-per-request-override-header/
 */
function newTokenValue(appId: number): string {
  const part = (bytes: number) => randomBytes(bytes).toString('base64url');
  return `ghs_${appId}_${part(24)}.${part(96)}-_${part(2)}.${part(256)}`;
}
