import type { Job } from '../../store/tables/jobs.ts';
import type { Project } from '../../store/tables/projects.ts';
import type { JobResource } from './resource-schemas.ts';

/** A job as callers see it; `webUrl` is where GitHub's pages are, without a slash at its end. */
export function toJobResource({
  job,
  repository: { owner, repo },
  webUrl,
}: {
  job: Job;
  repository: Pick<Project, 'owner' | 'repo'>;
  webUrl: string;
}): JobResource {
  return {
    id: job.job_id,
    status: job.status,
    source: { repository: `${webUrl}/${owner}/${repo}`, ref: job.branch ?? job.base },
    model: job.model,
    // Callers poll for this: a link says that the work they asked for is done, also when the pull request is an old one.
    prLink: job.status === 'active' ? null : job.pull_request_url,
    createdAt: job.created_at.toISOString(),
    archivedAt: job.archived_at?.toISOString() ?? null,
  };
}
