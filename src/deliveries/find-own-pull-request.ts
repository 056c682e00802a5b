import { findJobOfPullRequest, hasJobOfPullRequest, type Job } from '../store/jobs.ts';
import { findProjectByRepository, type Project } from '../store/projects.ts';
import type { DeliveryParts } from './event-handler.ts';

/** A pull request of ours: the job that owns it, and the project that it is in. */
export interface OwnPullRequest {
  project: Project;
  job: Job;
}

/**
 * The job of a pull request, if it is one of ours. One that was opened a moment ago may not be recorded with its number yet: where an
 * event does not tell the branch, GitHub is asked for it then.
 */
export async function findOwnPullRequest(
  { database, openProject }: Pick<DeliveryParts, 'database' | 'openProject'>,
  { repositoryId, number, branch }: { repositoryId: number; number: number; branch?: string | undefined },
  signal: AbortSignal,
): Promise<OwnPullRequest | undefined> {
  const project = await findProjectByRepository(database, repositoryId);
  if (!project || project.removed_at) return undefined;
  const { project_id: projectId } = project;
  const find = async (head: string) => findJobOfPullRequest(database, { projectId, number, branch: head });
  const job = await find(branch ?? '');
  if (job || branch !== undefined) return job && { project, job };
  if (!(await hasJobOfPullRequest(database, { repositoryId, number, branch }))) return undefined;
  const permissions = { pull_requests: 'read' } as const;
  await using access = await openProject(project, permissions, signal);
  const told = await access.client.fetchPullRequest(number);
  const isFromHere = told?.headRepositoryId === repositoryId;
  const found = isFromHere ? await find(told.branch) : undefined;
  return found && { project, job: found };
}
