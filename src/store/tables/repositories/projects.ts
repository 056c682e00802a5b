import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { createId } from '../../../create-id.ts';
import type { Database } from '../../postgres/database.ts';
import { now } from '../../postgres/moments.ts';
import { plannedOnceRepeated } from '../../postgres/send-statement.ts';
import { isReconciled as isJobCompared } from '../jobs/jobs.ts';
import { changeRow, changeRows, findRow, listRows } from '../rows.ts';
import type { Row } from '../schema.ts';
import { canCallGitHub } from './installations.ts';

export type Project = Row<'projects'>;

export interface RepositoryFacts {
  repositoryId: number;
  installationId: number;
  owner: string;
  repo: string;
  defaultBranch: string;
}

/** Idempotent by `repositoryId`; restores a removed project. Locks only for a change, because API requests wait for the lock. */
export async function upsertProject(tx: Database, facts: RepositoryFacts): Promise<Project> {
  const values = {
    installation_id: facts.installationId,
    owner: facts.owner,
    repo: facts.repo,
    default_branch: facts.defaultBranch,
    removed_at: null,
  };
  const stored = await findProjectByRepository(tx, facts.repositoryId);
  if (stored && isDeepStrictEqual(stored, { ...stored, ...values })) return stored;
  return tx
    .insertInto('projects')
    .values({ project_id: createId('prj'), repository_id: facts.repositoryId, ...values })
    .onConflict((conflict) => conflict.column('repository_id').doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export const toRepositoryLocation = ({ installation_id, repository_id, owner, repo }: Project) => ({
  installationId: installation_id,
  repositoryId: repository_id,
  owner,
  repo,
});

export async function findProjectOfJob(tx: Database, jobId: string): Promise<Project | undefined> {
  const { rows } = await sql<Project>`
    select projects.* from projects join jobs using (project_id) where job_id = ${jobId}`.execute(tx);
  return rows[0];
}

export const findProject = (tx: Database, projectId: string): Promise<Project | undefined> =>
  findRow(tx, 'projects', { project_id: projectId });

/** Does nothing if the project has this name. */
export async function renameProject(
  tx: Database,
  project: Project,
  { owner, repo }: { owner: string; repo: string },
): Promise<void> {
  if (project.owner === owner && project.repo === repo) return;
  await changeRows(tx, 'projects', { project_id: project.project_id }, { owner, repo });
}

/** Undefined: the project is removed. */
export async function lockProject(tx: Database, projectId: string): Promise<Project | undefined> {
  const { rows } = await sql<Project>`${plannedOnceRepeated}
    select * from projects where project_id = ${projectId} and removed_at is null for share`.execute(tx);
  return rows[0];
}

/** Keys and webhooks of a project are created one after another. */
export async function lockProjectExclusively(tx: Database, projectId: string): Promise<void> {
  await sql`select from projects where project_id = ${projectId} for no key update`.execute(tx);
}

export async function lockIfInstallationUnchanged(tx: Database, project: Project): Promise<boolean> {
  const { rows } = await sql`
    select from projects where project_id = ${project.project_id} and installation_id = ${project.installation_id}
    for no key update`.execute(tx);
  return rows.length > 0;
}

export const findProjectByRepository = (tx: Database, repositoryId: number): Promise<Project | undefined> =>
  findRow(tx, 'projects', { repository_id: repositoryId });

/** For the command line only: names move between repositories. Of two projects with the name, returns the newer one. */
export async function findProjectByName(
  tx: Database,
  { owner, repo }: { owner: string; repo: string },
): Promise<Project | undefined> {
  const { rows } = await sql<Project>`
    select * from projects where lower(owner) = lower(${owner}) and lower(repo) = lower(${repo}) and removed_at is null
    order by created_at desc limit 1`.execute(tx);
  return rows[0];
}

interface ReadSettings {
  /** If there are problems, these settings permit nothing. */
  settings: object;
  problems: string[];
  /** The commit that they were read from, if it is known. */
  sha?: string;
  readAt?: Date;
}

/** The settings that were read last without a mistake; undefined: none were. */
type GoodSettings = { good_settings: object | null; good_settings_sha: string | null } | undefined;

/**
 * Settings with problems do not replace valid ones. Ignores settings older than the stored ones; a stored time in the future comes from
 * another clock and does not count.
 */
export async function storeSettings(
  tx: Database,
  projectId: string,
  { settings, problems, sha, readAt }: ReadSettings,
): Promise<GoodSettings> {
  const moment = readAt ?? sql<Date>`clock_timestamp()`;
  const text = JSON.stringify(settings);
  // A version without the column stored only settings without problems, or the defaults with problems.
  const valid = sql<string | null>`coalesce(good_settings, case when settings_problems::text = '[]' then settings end)`;
  const sameSha = sql<string | null>`case when good_settings::text = ${text} then good_settings_sha end`;
  const changed =
    problems.length > 0
      ? { settings: sql<string | null>`coalesce(${valid}, ${text}::json)`, good_settings: valid }
      : { settings: text, good_settings: text, good_settings_sha: sha ?? sameSha };
  const change = { ...changed, settings_problems: JSON.stringify(problems), settings_read_at: moment };
  const isOlder = sql`(settings_read_at is null or settings_read_at <= ${moment} or settings_read_at > clock_timestamp())`;
  const updated = await changeRow(tx, 'projects', { project_id: projectId }, change, isOlder);
  const { good_settings, good_settings_sha = null } = updated ?? (await findProject(tx, projectId)) ?? {};
  return good_settings ? { good_settings, good_settings_sha } : undefined;
}

/** Whether the settings ask for check runs on pull requests. */
export async function wantsPullRequestChecks(tx: Database, repositoryId: number): Promise<boolean> {
  const { rows } = await sql`${plannedOnceRepeated}
    select from projects where repository_id = ${repositoryId} and removed_at is null
      and settings ->> 'checks' in ('advise', 'require')`.execute(tx);
  return rows.length > 0;
}

export const listProjects = (tx: Database, installationId: number): Promise<Project[]> =>
  listRows(tx, 'projects', { installation_id: installationId, removed_at: null }, { by: ['project_id'] });

export async function markProjectRemoved(tx: Database, projectId: string): Promise<void> {
  await changeRows(tx, 'projects', { project_id: projectId, removed_at: null }, { removed_at: now });
}

const isInUse = sql<boolean>`(
  exists (select from api_keys where api_keys.project_id = projects.project_id and revoked_at is null)
  or exists (select from jobs where jobs.project_id = projects.project_id and status <> 'archived')
  or exists (select from automations where automations.project_id = projects.project_id and automations.removed_at is null)
)`;

const hasPullRequest = sql<boolean>`exists (
  select from jobs where jobs.project_id = projects.project_id and ${isJobCompared}
)`;

/** Excludes suspended and blocked installations. `isReconciled`: only projects with a pull request to reconcile. */
export async function listProjectsInUse(
  tx: Database,
  { by, isReconciled = false }: { by: 'compared_at' | 'settings_read_at'; isReconciled?: boolean },
): Promise<Project[]> {
  const { rows } = await sql<Project>`
    select projects.* from projects join installations using (installation_id)
    where removed_at is null and ${canCallGitHub} and ${isInUse} and ${isReconciled ? hasPullRequest : sql`true`}
    order by ${sql.ref(`projects.${by}`)} nulls first, project_id`.execute(tx);
  return rows;
}

export async function markProjectReconciled(tx: Database, projectId: string): Promise<void> {
  await changeRows(tx, 'projects', { project_id: projectId }, { compared_at: sql`clock_timestamp()` });
}

export async function storePullRequestsEtag(tx: Database, projectId: string, etag: string | null): Promise<void> {
  await changeRows(tx, 'projects', { project_id: projectId }, { pull_requests_etag: etag });
}

/** `keep`: repository ids. */
export async function markUnusedProjectsRemoved(
  tx: Database,
  installationId: number,
  { keep }: { keep: ReadonlySet<number> },
): Promise<void> {
  const present = { installation_id: installationId, removed_at: null };
  const isUnused = sql`repository_id <> all(${[...keep]}::bigint[]) and not ${isInUse}`;
  await changeRows(tx, 'projects', present, { removed_at: now }, isUnused);
}
