import { ApiError } from '../api/api-error.ts';
import { type Caller, callerOfToken } from '../auth/caller.ts';
import { repositoriesOfToken } from '../state/installations.ts';
import { hasPermission } from '../state/permissions.ts';
import type { Repository, World } from '../state/world.ts';

/** Identifies a git client by Basic authentication with a token as the password. Throws 401 for a bad token. */
export function authenticateGit(world: World, authorization: string | undefined): Caller {
  if (!authorization) return { kind: 'nobody' };
  const [, encoded = ''] = /^basic (.+)$/i.exec(authorization) ?? [];
  const credentials = Buffer.from(encoded, 'base64').toString();
  try {
    return callerOfToken(world, credentials.slice(credentials.indexOf(':') + 1));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) throw askForPassword('Invalid username or token.');
    throw error;
  }
}

/** Refuses a clone, fetch or push with github.com's answers. */
export function authorizeGit(repository: Repository | undefined, caller: Caller, writes: boolean): Repository {
  if (caller.kind !== 'installation') {
    if (repository && !repository.private && !writes) return repository;
    throw askForPassword('Authentication required.');
  }
  if (!repository || !repositoriesOfToken(repository.world, caller.token).includes(repository)) {
    throw new ApiError(404, 'Repository not found.');
  }
  if (!hasPermission(caller.token.permissions, 'contents', writes ? 'write' : 'read')) {
    throw new ApiError(
      403,
      writes ? 'Write access to repository not granted.' : 'Read access to repository not granted.',
    );
  }
  if (writes && repository.archived) throw new ApiError(403, 'This repository was archived so it is read-only.');
  return repository;
}

const askForPassword = (message: string) =>
  new ApiError(401, message, { headers: { 'www-authenticate': 'Basic realm="GitHub"' } });
