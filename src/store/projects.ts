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

/** Keeps what the repository said of itself at `readAt`, a moment before it was asked (none: now); what was read later stays. */
export async function storeSettings(
  tx: Kysely<Tables>,
  projectId: string,
  { settings, problems, readAt = new Date() }: { settings: object; problems: string[]; readAt?: Date },
): Promise<void> {
  const told = { settings: JSON.stringify(settings), settings_problems: JSON.stringify(problems) };
  await tx
    .updateTable('projects')
    .set({ ...told, settings_read_at: readAt })
    .where('project_id', '=', projectId)
    .where(({ or, eb }) => or([eb('settings_read_at', 'is', null), eb('settings_read_at', '<=', readAt)]))
    .execute();
}

/** Somebody works with it: it has a key that may be used, or a job that is not over. */
const isInUse = sql<boolean>`(
  exists (select from api_keys where api_keys.project_id = projects.project_id and revoked_at is null)
  or exists (select from jobs where jobs.project_id = projects.project_id and status <> 'archived')
)`;

/**
 * The projects that somebody works with, and that GitHub may be asked about: their installation is neither suspended nor blocked by
 * GitHub's rate limit. First those that were never `by`, then those for which that is longest ago.
 */
export function listProjectsInUse(
  tx: Kysely<Tables>,
  { by }: { by: 'compared_at' | 'settings_read_at' },
): Promise<Project[]> {
  return tx
    .selectFrom('projects')
    .innerJoin('installations', 'installations.installation_id', 'projects.installation_id')
    .selectAll('projects')
    .where('removed_at', 'is', null)
    .where('suspended_at', 'is', null)
    .where(({ or, eb }) => or([eb('blocked_until', 'is', null), eb('blocked_until', '<=', sql<Date>`now()`)]))
    .where(isInUse)
    .orderBy(`projects.${by}`, (order) => order.asc().nullsFirst())
    .orderBy('projects.project_id')
    .execute();
}

/** A round that compares has come to it: it is the last of the next one, whatever becomes of it now. */
export async function markProjectCompared(tx: Kysely<Tables>, projectId: string): Promise<void> {
  await tx
    .updateTable('projects')
    .set({ compared_at: sql`clock_timestamp()` })
    .where('project_id', '=', projectId)
    .execute();
}

/** Keeps which list of open pull requests the project's jobs were compared with, for asking whether there is another one by now. */
export async function storePullRequestsEtag(tx: Kysely<Tables>, projectId: string, etag: string | null): Promise<void> {
  await tx.updateTable('projects').set({ pull_requests_etag: etag }).where('project_id', '=', projectId).execute();
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

/** Removes those of an installation that nobody works with, but for these repositories. */
export async function markUnusedProjectsRemoved(
  tx: Kysely<Tables>,
  installationId: number,
  { keep }: { keep: ReadonlySet<number> },
): Promise<void> {
  await tx
    .updateTable('projects')
    .set({ removed_at: sql`now()` })
    .where('installation_id', '=', installationId)
    .where('removed_at', 'is', null)
    .where(sql<boolean>`repository_id <> all(${[...keep]}::bigint[])`)
    .where(sql<boolean>`not ${isInUse}`)
    .execute();
}
