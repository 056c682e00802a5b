import { archiveJob } from '../../jobs/archive-job.ts';
import { isProjectGone } from '../../projects/is-project-gone.ts';
import { inTransaction, type StoreTx } from '../../store/store.ts';
import { listOpenJobIds } from '../../store/tables/jobs.ts';
import { listProjects, lockIfUnmoved, markProjectRemoved, type Project } from '../../store/tables/projects.ts';
import { markUnusedProjectsRemoved } from '../../store/tables/projects-in-use.ts';
import type { DeliveryParts } from '../event-handler.ts';

/**
 * Takes a project out of use, because its repository or installation is gone: its jobs are archived. Idempotent. One that has moved to
 * another installation since it was read, and GitHub was asked about it, stays as it is.
 */
export async function removeProject(store: StoreTx, project: Project): Promise<void> {
  const { project_id: projectId } = project;
  if (!(await lockIfUnmoved(store.tx, project))) return;
  await markProjectRemoved(store.tx, projectId);
  for (const jobId of await listOpenJobIds(store.tx, projectId)) await archiveJob(store, jobId, 'repository_gone');
}

/**
 * The same for the projects of an installation that a list of GitHub's lacks, and that are gone indeed. A list alone is no proof: it may be
 * older than a repository that was added while it was read, and what is archived by mistake cannot be taken back. Those that nobody works
 * with have nothing to lose, and come back as soon as GitHub lists them again: of an account's thousands, GitHub is asked only about the
 * others. Each is removed by itself: where the time is up before the last one, GitHub is not asked about the first ones again.
 */
export async function removeGoneProjects(
  parts: DeliveryParts,
  installationId: number,
  { listed, ...asking }: { listed: ReadonlySet<number>; isSoughtElsewhere?: boolean; signal: AbortSignal },
): Promise<void> {
  const { database, github } = parts;
  await markUnusedProjectsRemoved(database, installationId, { keep: listed });
  for (const project of await listProjects(database, installationId)) {
    if (listed.has(project.repository_id) || !(await isProjectGone(github, project, asking))) continue;
    await inTransaction(parts, (store) => removeProject(store, project));
  }
}
