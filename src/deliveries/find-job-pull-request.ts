import { findJobOfPullRequest, hasJobOfPullRequest, type Job } from '../store/tables/jobs/jobs.ts';
import type { Project } from '../store/tables/repositories/projects.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { AboutPullRequest } from './payload.ts';

export interface JobPullRequest {
  project: Project;
  job: Job;
  number: number;
  /** It is not the job's pull request, but an issue or a pull request of somebody else where people asked for the job. */
  isElsewhere?: boolean;
  /** The repository of an issue. */
  issueOf?: number | undefined;
}

/**
 * The delivery's pull request, if it belongs to a job; one from a fork never does. Until a run has stored the number of a new pull request,
 * its branch identifies the job. A comment does not carry the branch, so this asks GitHub for it.
 */
export async function findJobPullRequest(
  context: DeliveryContext<AboutPullRequest>,
): Promise<JobPullRequest | undefined> {
  const { database, openProject, fields, signal } = context;
  const project = await context.findProject();
  const number = fields.pull_request?.number ?? fields.issue?.number;
  if (!project || number === undefined) return undefined;
  const { project_id: projectId, repository_id: repositoryId } = project;
  const find = async (branch?: string): Promise<JobPullRequest | undefined> => {
    const job = await findJobOfPullRequest(database, { projectId, number, branch });
    return job && { project, job, number };
  };
  if (fields.pull_request) {
    const { head } = fields.pull_request;
    return head.repo?.id === repositoryId ? find(head.ref) : undefined;
  }
  const byNumber = await find();
  if (byNumber) return byNumber;
  if (!(await hasJobOfPullRequest(database, { repositoryId, number, branch: undefined }))) return undefined;
  await using access = await openProject(project, { pull_requests: 'read' }, signal);
  const pullRequest = await access.client.fetchPullRequest(number);
  return pullRequest?.headRepositoryId === repositoryId ? await find(pullRequest.branch) : undefined;
}
