import { archiveJob } from '../jobs/archive-job.ts';
import { listOpenJobIds } from '../store/jobs.ts';
import { listProjects, markProjectRemoved } from '../store/projects.ts';
import type { StoreTx } from '../store/store.ts';

/** Takes a project out of use, because its repository or installation is gone: its jobs are archived. Idempotent. */
export async function removeProject(store: StoreTx, projectId: string): Promise<void> {
  await markProjectRemoved(store.tx, projectId);
  for (const jobId of await listOpenJobIds(store.tx, projectId)) await archiveJob(store, jobId, 'repository_gone');
}

/** The same for every project of an installation. */
export async function removeProjects(store: StoreTx, installationId: number): Promise<void> {
  for (const { project_id: projectId } of await listProjects(store.tx, installationId))
    await removeProject(store, projectId);
}
