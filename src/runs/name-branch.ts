import type { Job } from '../store/tables/jobs/jobs.ts';
import type { Run } from '../store/tables/jobs/runs.ts';
import { firstLine } from '../text/bound.ts';
import { readPublication } from './publication.ts';

const maxSlugLength = 40;

/** All branches of jobs are below it. */
export const branchFolder = 'pagewright';

/** `pagewright/<slug of the pull request's title>-<end of the job's id>`. Branch rules can name the prefix. The end of a TypeID is random. */
export function nameBranch({ jobId, title }: { jobId: string; title: string }): string {
  const words =
    firstLine(title, 200)
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const slug = words
    .join('-')
    .slice(0, maxSlugLength)
    .replace(/-[^-]*$/, (rest) => (words.join('-').length > maxSlugLength ? '' : rest));
  return `${branchFolder}/${[slug, jobId.slice(-8)].filter(Boolean).join('-')}`;
}

/** An earlier run may have frozen a branch, and pushed it without a record. A new one gets its name from the title. */
export function chooseBranch({ job_id: jobId, branch }: Job, runs: readonly Run[], title: string): string {
  const frozen = runs.map((run) => readPublication(run)?.change?.branch).findLast((name) => name !== undefined);
  return branch ?? frozen ?? nameBranch({ jobId, title });
}
