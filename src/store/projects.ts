import { type Kysely, sql } from 'kysely';
import { typeid } from 'typeid-js';
import type { Row, Tables } from './schema.ts';

export type Project = Row<'projects'>;

/** A repository as GitHub names it today. */
export interface RepositoryFacts {
  repositoryId: number;
  installationId: number;
  owner: string;
  repo: string;
  defaultBranch: string;
}

/** Makes the repository a project, or brings its project up to date. Idempotent by `repositoryId`; brings a removed one back. */
export async function upsertProject(tx: Kysely<Tables>, facts: RepositoryFacts): Promise<Project> {
  const told = {
    installation_id: facts.installationId,
    owner: facts.owner,
    repo: facts.repo,
    default_branch: facts.defaultBranch,
    removed_at: null,
  };
  return tx
    .insertInto('projects')
    .values({ project_id: typeid('prj').toString(), repository_id: facts.repositoryId, ...told })
    .onConflict((conflict) => conflict.column('repository_id').doUpdateSet(told))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function findProject(tx: Kysely<Tables>, projectId: string): Promise<Project | undefined> {
  return tx.selectFrom('projects').selectAll().where('project_id', '=', projectId).executeTakeFirst();
}

/** The project, unless its repository or installation is gone; it cannot be removed before the transaction ends. */
export function lockProject(tx: Kysely<Tables>, projectId: string): Promise<Project | undefined> {
  return tx
    .selectFrom('projects')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('removed_at', 'is', null)
    .forShare()
    .executeTakeFirst();
}

export function findProjectByRepository(tx: Kysely<Tables>, repositoryId: number): Promise<Project | undefined> {
  return tx.selectFrom('projects').selectAll().where('repository_id', '=', repositoryId).executeTakeFirst();
}

/**
 * By name, as people type it; a name may have moved to another repository, so this is for the command line only. Where a rename
 * was missed and two bear it, the newer project is meant.
 */
export function findProjectByName(
  tx: Kysely<Tables>,
  { owner, repo }: { owner: string; repo: string },
): Promise<Project | undefined> {
  return tx
    .selectFrom('projects')
    .selectAll()
    .where(sql<boolean>`lower(owner) = lower(${owner}) and lower(repo) = lower(${repo})`)
    .where('removed_at', 'is', null)
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
}

/** The projects of an installation that are not removed. */
export function listProjects(tx: Kysely<Tables>, installationId: number): Promise<Project[]> {
  return tx
    .selectFrom('projects')
    .selectAll()
    .where('installation_id', '=', installationId)
    .where('removed_at', 'is', null)
    .execute();
}

export async function markProjectRemoved(tx: Kysely<Tables>, projectId: string): Promise<void> {
  await tx
    .updateTable('projects')
    .set({ removed_at: sql`now()` })
    .where('project_id', '=', projectId)
    .where('removed_at', 'is', null)
    .execute();
}
