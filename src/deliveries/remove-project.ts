import { archiveJob } from '../jobs/archive-job.ts';
import type { Tx } from '../store/database.ts';
import { listOpenJobIds } from '../store/jobs.ts';
import { listProjects, markProjectRemoved } from '../store/projects.ts';

/** Takes a project out of use, because its repository or installation is gone: its jobs are archived. Idempotent. */
export async function removeProject(tx: Tx, projectId: string): Promise<void> {
  await markProjectRemoved(tx, projectId);
  for (const jobId of await listOpenJobIds(tx, projectId)) await archiveJob(tx, jobId, 'repository_gone');
}

/** Takes every project of an installation out of use but those whose repositories are kept. */
export async function removeProjectsBut(
  tx: Tx,
  installationId: number,
  keptRepositoryIds: ReadonlySet<number>,
): Promise<void> {
  for (const project of await listProjects(tx, installationId)) {
    if (!keptRepositoryIds.has(project.repository_id)) await removeProject(tx, project.project_id);
  }
}
