import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import type { Row } from '../schema.ts';
import type { Project } from './projects.ts';

/** `age_ms`: since it was checked, by the database's clock. */
type ContextRow = Row<'context_repositories'> & { age_ms: number };

/** Where a repository was found. */
export interface Placed {
  repositoryId: number;
  installationId: number;
  owner: string;
  repo: string;
}

/** What was found of one that the settings name. */
interface FoundContext {
  name: string;
  found: Placed | null;
  state: string;
  problem: string | null;
}

/** With its present name: a rename is told of the repository's own project. */
export function listContextRows(tx: Database, projectId: string): Promise<ContextRow[]> {
  return tx
    .selectFrom('context_repositories as found')
    .leftJoin('projects as own', 'own.repository_id', 'found.repository_id')
    .selectAll('found')
    .select(({ fn }) => [
      fn.coalesce('own.owner', 'found.owner').as('owner'),
      fn.coalesce('own.repo', 'found.repo').as('repo'),
    ])
    .select(sql<number>`(extract(epoch from now() - checked_at) * 1000)::float8`.as('age_ms'))
    .where('found.project_id', '=', projectId)
    .orderBy('found.name')
    .execute();
}

/** The projects of automations that a repository may trigger, if it lets them: its settings concern them. */
export async function listDependentProjects(tx: Database, repositoryId: number): Promise<Project[]> {
  return tx
    .selectFrom('projects')
    .selectAll('projects')
    .where('removed_at', 'is', null)
    .where('project_id', 'in', (select) =>
      select.selectFrom('context_repositories').select('project_id').where('repository_id', '=', repositoryId),
    )
    .where('project_id', 'in', (select) =>
      select.selectFrom('automations').select('project_id').where('removed_at', 'is', null),
    )
    .orderBy('project_id')
    .execute();
}

/** Replaces what was known. One that could not be found keeps its last place, because it may come back. */
export async function storeContextRepositories(
  tx: Database,
  projectId: string,
  all: readonly FoundContext[],
): Promise<void> {
  const names = all.map(({ name }) => name.toLowerCase());
  let others = tx.deleteFrom('context_repositories').where('project_id', '=', projectId);
  if (names.length > 0) others = others.where('name', 'not in', names);
  await others.execute();
  if (all.length === 0) return;
  const rows = all.map(({ name, found, state, problem }) => ({
    project_id: projectId,
    name: name.toLowerCase(),
    repository_id: found?.repositoryId ?? null,
    installation_id: found?.installationId ?? null,
    owner: found?.owner ?? null,
    repo: found?.repo ?? null,
    state,
    problem,
    checked_at: sql<Date>`now()`,
  }));
  await tx
    .insertInto('context_repositories')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'name']).doUpdateSet(({ ref }) => ({
        repository_id: ref('excluded.repository_id'),
        installation_id: ref('excluded.installation_id'),
        owner: ref('excluded.owner'),
        repo: ref('excluded.repo'),
        state: ref('excluded.state'),
        problem: ref('excluded.problem'),
        checked_at: ref('excluded.checked_at'),
      })),
    )
    .execute();
}
