import type { Database } from '../store/postgres/database.ts';
import { type FoundContext, storeContextRepositories } from '../store/tables/repositories/context-repositories.ts';
import type { ContextRepository } from './context-repository.ts';

/** Keeps what was found, for pages and the API, and so that a repository is followed by its id. */
export async function storeResolved(
  database: Database,
  projectId: string,
  found: readonly ContextRepository[],
): Promise<void> {
  if (found.length === 0) return storeContextRepositories(database, projectId, []);
  await database.transaction().execute((tx) => storeContextRepositories(tx, projectId, found.map(toRow)));
}

export const toRow = (each: ContextRepository): FoundContext =>
  each.state === 'ready'
    ? { name: each.name, placed: toPlaced(each), state: each.state, problem: null }
    : { name: each.name, placed: each.found, state: each.state, problem: each.problem };

const toPlaced = ({ installationId, repository }: Extract<ContextRepository, { state: 'ready' }>) => {
  const { repositoryId, owner, repo } = repository;
  return { installationId, repositoryId, owner, repo };
};
