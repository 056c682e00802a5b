import { type Kysely, sql } from 'kysely';
import { canCallGitHub } from './installations.ts';
import { isReconciled as isJobCompared } from './jobs.ts';
import type { Project } from './projects.ts';
import type { Tables } from './schema.ts';

/** Somebody works with it: it has a key that may be used, or a job that is not over. */
const isInUse = sql<boolean>`(
  exists (select from api_keys where api_keys.project_id = projects.project_id and revoked_at is null)
  or exists (select from jobs where jobs.project_id = projects.project_id and status <> 'archived')
)`;

/** It has a job that `listJobsWithPullRequest` gives. */
const hasPullRequest = sql<boolean>`exists (
  select from jobs where jobs.project_id = projects.project_id and ${isJobCompared}
)`;

/**
 * The projects that somebody works with, and that GitHub may be asked about. First those that were never `by`, then those for which that is
 * longest ago. `isReconciled`: only those with a pull request to be compared.
 */
export function listProjectsInUse(
  tx: Kysely<Tables>,
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

/** A round that compares has come to it: it is the last of the next one, whatever becomes of it now. */
export async function markProjectReconciled(tx: Kysely<Tables>, projectId: string): Promise<void> {
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
