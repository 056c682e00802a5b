import type { Database } from '../store/postgres/database.ts';
import { storeContext } from '../store/tables/repositories/context-repositories.ts';
import type { ContextRepository } from './context-repository.ts';

/** Keeps what was found, for pages and the API, and so that a repository is followed by its id. */
export async function storeResolved(
  database: Database,
  projectId: string,
  found: readonly ContextRepository[],
): Promise<void> {
  const rows = found.map((each) =>
    each.state === 'ready'
      ? { name: each.name, placed: toPlaced(each), state: each.state, problem: null }
      : { name: each.name, placed: each.found, state: each.state, problem: each.problem },
  );
  await database.transaction().execute((tx) => storeContext(tx, projectId, rows));
}

const toPlaced = ({ installationId, repository }: Extract<ContextRepository, { state: 'ready' }>) => {
  const { repositoryId, owner, repo } = repository;
  return { installationId, repositoryId, owner, repo };
};
