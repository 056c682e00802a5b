import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { now } from '../../postgres/moments.ts';
import { isReconciled as isJobCompared } from '../jobs/jobs.ts';
import { changeRows } from '../rows.ts';
import { canCallGitHub } from './installations.ts';
import type { Project } from './projects.ts';

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
