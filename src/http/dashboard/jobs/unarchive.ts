import { fetchPullRequestNow, unarchiveJob } from '../../../jobs/unarchive-job.ts';
import { askGitHub } from '../../../projects/ask-github.ts';
import type { OpenProject } from '../../../projects/open-project.ts';
import { inTransaction } from '../../../store/store.ts';
import type { Job } from '../../../store/tables/jobs/jobs.ts';
import type { ProjectVisit } from '../people/page-routes.ts';

/** Returns why the job stays archived; undefined: it is open again. */
export async function unarchive(
  openProject: OpenProject,
  { project, signal, withStore }: ProjectVisit,
  job: Job,
): Promise<string | undefined> {
  if (job.status !== 'archived') return undefined;
  const asked = await askGitHub(() => fetchPullRequestNow(openProject, { project, job, signal }));
  if (asked.kind === 'refused') return asked.message;
  if (asked.kind === 'unavailable') return 'GitHub does not answer now. Try again in a few seconds.';
  const gone = 'Pagewright can no longer access the repository. Install the GitHub App on it again.';
  if (asked.kind === 'project_gone') return gone;
  const result = await withStore((store) =>
    inTransaction(store, (storeTx) => unarchiveJob(storeTx, job, asked.result)),
  );
  switch (result.kind) {
    case 'project_gone':
      return gone;
    case 'changed':
      return 'The pull request is changing on GitHub. Try again in a few seconds.';
    case 'closed':
      return result.merged
        ? 'The pull request was merged. Create a new job for further changes.'
        : 'The pull request is closed. Reopen it on GitHub, which also unarchives the job.';
    default:
      return undefined;
  }
}
