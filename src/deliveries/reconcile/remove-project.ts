import { archiveJob } from '../../jobs/archive-job.ts';
import { isProjectGone } from '../../projects/is-project-gone.ts';
import { inTransaction, type StoreTx } from '../../store/store.ts';
import { listOpenJobIds } from '../../store/tables/jobs.ts';
import {
  listProjects,
  lockIfInstallationUnchanged,
  markProjectRemoved,
  type Project,
} from '../../store/tables/projects.ts';
import { markUnusedProjectsRemoved } from '../../store/tables/projects-in-use.ts';
import type { DeliveryParts } from '../delivery-context.ts';

/**
 * Removes a project whose repository or installation is gone, and archives its jobs. Idempotent. A project that has moved to another
 * installation since it was read stays as it is.
 */
export async function removeProject(store: StoreTx, project: Project): Promise<void> {
  const { project_id: projectId } = project;
  if (!(await lockIfInstallationUnchanged(store.tx, project))) return;
  await markProjectRemoved(store.tx, projectId);
  for (const jobId of await listOpenJobIds(store.tx, projectId)) await archiveJob(store, jobId, 'repository_gone');
}

/**
 * Removes the projects of an installation that are not in `listed`, GitHub's list of its repositories. A project with jobs is removed only
 * if GitHub confirms that its repository is gone: the list may be older than a repository that was added while it was read, and archiving
 * cannot be undone. Unused projects need no such request, because they return with the next list that has them. Each project is removed in a
 * transaction of its own, so that a round that runs out of time keeps its results.
 */
export async function removeGoneProjects(
  parts: DeliveryParts,
  installationId: number,
  {
    listed,
    isSoughtElsewhere = false,
    signal,
  }: { listed: ReadonlySet<number>; isSoughtElsewhere?: boolean; signal: AbortSignal },
): Promise<void> {
  const { database, github } = parts;
  await markUnusedProjectsRemoved(database, installationId, { keep: listed });
  for (const project of await listProjects(database, installationId)) {
    if (listed.has(project.repository_id)) continue;
    if (!(await isProjectGone(github, project, { isSoughtElsewhere, signal }))) continue;
    await inTransaction(parts, (store) => removeProject(store, project));
  }
}
