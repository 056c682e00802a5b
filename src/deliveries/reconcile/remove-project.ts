import { archiveJob } from '../../jobs/archive-job.ts';
import { isProjectGone } from '../../projects/follow-transfer.ts';
import { inTransaction, type StoreTx } from '../../store/store.ts';
import { lockOpenJobs } from '../../store/tables/jobs/jobs.ts';
import {
  listProjects,
  lockIfInstallationUnchanged,
  markProjectRemoved,
  markUnusedProjectsRemoved,
  type Project,
} from '../../store/tables/repositories/projects.ts';
import type { DeliveryParts } from '../delivery-context.ts';

/** Removes a project and archives its jobs, unless it has moved to another installation since it was read. Idempotent. */
export async function removeProject(store: StoreTx, project: Project): Promise<void> {
  const { project_id: projectId } = project;
  if (!(await lockIfInstallationUnchanged(store.tx, project))) return;
  await markProjectRemoved(store.tx, projectId);
  for (const { job_id: jobId } of await lockOpenJobs(store.tx, projectId))
    await archiveJob(store, jobId, 'repository_gone');
}

/** Removes unlisted projects. If one has jobs, GitHub must confirm: the list may be outdated, and archiving cannot be undone. */
export async function removeGoneProjects(
  parts: DeliveryParts,
  installationId: number,
  options: { listed: ReadonlySet<number>; isSoughtElsewhere?: boolean; signal: AbortSignal },
): Promise<void> {
  const { listed, isSoughtElsewhere = false, signal } = options;
  const { database, github } = parts;
  await markUnusedProjectsRemoved(database, installationId, { keep: listed });
  for (const project of await listProjects(database, installationId)) {
    if (listed.has(project.repository_id)) continue;
    if (!(await isProjectGone(github, project, { isSoughtElsewhere, signal }))) continue;
    await inTransaction(parts, (store) => removeProject(store, project));
  }
}
