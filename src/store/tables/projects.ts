import { isDeepStrictEqual } from 'node:util';
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

/**
 * Makes the repository a project, or brings its project up to date. Idempotent by `repositoryId`; brings a removed one back. Locks nothing
 * where nothing is new: the requests of the API wait for such locks, and an account may have thousands of repositories.
 */
export async function upsertProject(tx: Kysely<Tables>, facts: RepositoryFacts): Promise<Project> {
  const told = {
    installation_id: facts.installationId,
    owner: facts.owner,
    repo: facts.repo,
    default_branch: facts.defaultBranch,
    removed_at: null,
  };
  const known = await tx
    .selectFrom('projects')
    .selectAll()
    .where('repository_id', '=', facts.repositoryId)
    .executeTakeFirst();
  if (known && isDeepStrictEqual(known, { ...known, ...told })) return known;
  return tx
    .insertInto('projects')
    .values({ project_id: typeid('prj').toString(), repository_id: facts.repositoryId, ...told })
    .onConflict((conflict) => conflict.column('repository_id').doUpdateSet(told))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Where the project is on GitHub, as far as we know. */
export const placeOf = ({ installation_id, repository_id, owner, repo }: Project) => ({
  installationId: installation_id,
  repositoryId: repository_id,
  owner,
  repo,
});

export function findProjectOfJob(tx: Kysely<Tables>, jobId: string): Promise<Project | undefined> {
  return tx
    .selectFrom('projects')
    .selectAll('projects')
    .innerJoin('jobs', 'jobs.project_id', 'projects.project_id')
    .where('job_id', '=', jobId)
    .executeTakeFirst();
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

/** Whether the project is in the installation that it was read with; it cannot leave it before the transaction ends. */
export async function lockIfInstallationUnchanged(
  tx: Kysely<Tables>,
  { project_id: projectId, installation_id: installationId }: Project,
): Promise<boolean> {
  const found = tx.selectFrom('projects').select('project_id').where('project_id', '=', projectId);
  return (await found.where('installation_id', '=', installationId).forNoKeyUpdate().executeTakeFirst()) !== undefined;
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

/**
 * Keeps what the repository said of itself at `readAt`, a moment before it was asked, by the database's clock (none: now); what was read
 * later stays. A stored moment that is yet to come is some other clock's and means nothing.
 */
export async function storeSettings(
  tx: Kysely<Tables>,
  projectId: string,
  { settings, problems, readAt }: { settings: object; problems: string[]; readAt?: Date },
): Promise<void> {
  const told = { settings: JSON.stringify(settings), settings_problems: JSON.stringify(problems) };
  const moment = readAt ?? sql<Date>`clock_timestamp()`;
  await tx
    .updateTable('projects')
    .set({ ...told, settings_read_at: moment })
    .where('project_id', '=', projectId)
    .where(({ or, eb }) =>
      or([
        eb('settings_read_at', 'is', null),
        eb('settings_read_at', '<=', moment),
        eb('settings_read_at', '>', sql<Date>`clock_timestamp()`),
      ]),
    )
    .execute();
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
