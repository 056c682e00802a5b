import type { DeliveryFields } from '../store/tables/delivery-fields.ts';
import { findJobOfPullRequest, hasJobOfPullRequest, type Job } from '../store/tables/jobs.ts';
import { findProjectByRepository, type Project } from '../store/tables/projects.ts';
import type { DeliveryParts } from './event-handler.ts';

/** A pull request of ours: the job that owns it, and the project that it is in. */
export interface OwnPullRequest {
  project: Project;
  job: Job;
}

/**
 * The job of a pull request, if it is one of ours; what comes from a fork never is. One that was opened a moment ago may not be recorded
 * with its number yet: where an event does not tell its `head`, GitHub is asked for it then.
 */
export async function findOwnPullRequest(
  { database, openProject }: Pick<DeliveryParts, 'database' | 'openProject'>,
  {
    repositoryId,
    number,
    head,
  }: { repositoryId: number; number: number; head?: NonNullable<DeliveryFields['pull_request']>['head'] },
  signal: AbortSignal,
): Promise<OwnPullRequest | undefined> {
  const project = await findProjectByRepository(database, repositoryId);
  if (!project || project.removed_at) return undefined;
  const { project_id: projectId } = project;
  const find = (branch: string) => findJobOfPullRequest(database, { projectId, number, branch });
  if (head && head.repo?.id !== repositoryId) return undefined;
  const job = await find(head?.ref ?? '');
  if (job || head) return job && { project, job };
  if (!(await hasJobOfPullRequest(database, { repositoryId, number, branch: undefined }))) return undefined;
  const permissions = { pull_requests: 'read' } as const;
  await using access = await openProject(project, permissions, signal);
  const told = await access.client.fetchPullRequest(number);
  const isFromHere = told?.headRepositoryId === repositoryId;
  const found = isFromHere ? await find(told.branch) : undefined;
  return found && { project, job: found };
}
