import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { isReconciled as isJobCompared } from '../jobs/jobs.ts';
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
export function listProjectsInUse(
  tx: Database,
  { by, isReconciled = false }: { by: 'compared_at' | 'settings_read_at'; isReconciled?: boolean },
): Promise<Project[]> {
  return tx
    .selectFrom('projects')
    .innerJoin('installations', 'installations.installation_id', 'projects.installation_id')
    .selectAll('projects')
    .where('removed_at', 'is', null)
    .where(canCallGitHub)
    .where(isInUse)
    .$if(isReconciled, (some) => some.where(hasPullRequest))
    .orderBy(`projects.${by}`, (order) => order.asc().nullsFirst())
    .orderBy('projects.project_id')
    .execute();
}

export async function markProjectReconciled(tx: Database, projectId: string): Promise<void> {
  await tx
    .updateTable('projects')
    .set({ compared_at: sql`clock_timestamp()` })
    .where('project_id', '=', projectId)
    .execute();
}

export async function storePullRequestsEtag(tx: Database, projectId: string, etag: string | null): Promise<void> {
  await tx.updateTable('projects').set({ pull_requests_etag: etag }).where('project_id', '=', projectId).execute();
}

/** `keep`: repository ids. */
export async function markUnusedProjectsRemoved(
  tx: Database,
  installationId: number,
  { keep }: { keep: ReadonlySet<number> },
): Promise<void> {
  await tx
    .updateTable('projects')
    .set({ removed_at: sql`now()` })
    .where(({ and }) => and({ installation_id: installationId, removed_at: null }))
    .where(sql<boolean>`repository_id <> all(${[...keep]}::bigint[])`)
    .where(sql<boolean>`not ${isInUse}`)
    .execute();
}
