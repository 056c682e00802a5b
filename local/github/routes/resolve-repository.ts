import { ApiError, notFound } from '../api/api-error.ts';
import { repositoriesOfToken } from '../state/installations.ts';
import { formatNeeded, isAllowed, type Needed } from '../state/permissions.ts';
import { findFormerRepository, findRepository } from '../state/repositories.ts';
import type { Repository } from '../state/world.ts';
import type { Call } from './route.ts';

/** Finds the repository of a call. Redirects a renamed one; throws 404, 403 or 401 without access. */
export function resolveRepository(
  call: Call,
  { needs, writes }: { needs: Needed; writes: boolean },
): { repository: Repository } | { movedTo: Repository } {
  const { world, params } = call;
  const repository =
    params.repository_id === undefined
      ? findRepository(world, params.owner ?? '', params.repo ?? '')
      : world.repositories.get(Number(params.repository_id));
  const former = repository ? undefined : findFormerRepository(world, params.owner ?? '', params.repo ?? '');
  const found = repository ?? former;
  if (!found) throw notFound();
  refuseStranger(call, found, writes);
  if (former) return { movedTo: former };
  refuseMissingPermission(call, needs);
  if (writes && found.archived) throw new ApiError(403, 'Repository was archived so is read-only.');
  return { repository: found };
}

/** A private repository answers 404; a public one still refuses writes without credentials. */
function refuseStranger({ world, caller }: Call, repository: Repository, writes: boolean): void {
  if (caller.kind === 'installation') {
    if (repositoriesOfToken(world, caller.token).includes(repository)) return;
    throw notFound();
  }
  if (caller.kind === 'app' || caller.kind === 'user' || caller.kind === 'client')
    throw new ApiError(403, 'Resource not accessible by integration');
  if (repository.private) throw notFound();
  if (writes) throw new ApiError(401, 'Requires authentication');
}

export function refuseMissingPermission({ caller }: Call, needs: Needed): void {
  if (caller.kind !== 'installation' || isAllowed(caller.token.permissions, needs)) return;
  throw new ApiError(403, 'Resource not accessible by integration', {
    headers: { 'x-accepted-github-permissions': formatNeeded(needs) },
  });
}
