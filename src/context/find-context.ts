import type { RepositoryAccess } from '../github/auth/open-access.ts';
import type { Settings } from '../repository/settings.ts';
import type { FoundContext } from '../store/tables/repositories/context-repositories.ts';
import { type ContextParts, resolveContext } from './resolve-context.ts';
import { toRow } from './store-resolved.ts';

/** What is to be stored of the context repositories in the settings of a repository, which is open. Throws where GitHub does not answer. */
export async function findContext(
  parts: ContextParts,
  { projectId, access, settings }: { projectId: string; access: RepositoryAccess; settings: Settings },
  signal: AbortSignal,
): Promise<FoundContext[]> {
  const { client } = access;
  const repository = access.repository ?? (await client.fetchRepository());
  const found = await resolveContext(parts, { projectId, repository, client }, settings.context, signal);
  return found.map(toRow);
}
