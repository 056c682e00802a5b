import { archiveJob } from '../jobs/archive-job.ts';
import type { Tx } from '../store/database.ts';
import { listOpenJobIds } from '../store/jobs.ts';
import { listProjects, markProjectRemoved } from '../store/projects.ts';

/** Takes a project out of use, because its repository or installation is gone: its jobs are archived. Idempotent. */
export async function removeProject(tx: Tx, projectId: string): Promise<void> {
  await markProjectRemoved(tx, projectId);
  for (const jobId of await listOpenJobIds(tx, projectId)) await archiveJob(tx, jobId, 'repository_gone');
}

/** The same for every project of an installation. */
export async function removeProjects(tx: Tx, installationId: number): Promise<void> {
  for (const { project_id: projectId } of await listProjects(tx, installationId)) await removeProject(tx, projectId);
}
