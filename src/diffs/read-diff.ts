import { findMergeBase } from '../git/commits.ts';
import { readFileDiffs } from '../git/diffs.ts';
import type { OpenProject } from '../projects/open-project.ts';
import type { Job } from '../store/tables/jobs/jobs.ts';
import type { Project } from '../store/tables/repositories/projects.ts';
import { boundDiff, type Diff, maxDiffBytes } from './format-diff.ts';
import { type FileSources, readInMirror } from './read-files.ts';

/** The change of the job's pull request against its merge base with the target; empty before there is one. Throws as `OpenProject`. */
export type ReadDiff = (work: { project: Project; job: Job; signal: AbortSignal }) => Promise<Diff>;

/** Reads the mirror, if it has the commits that GitHub names, else asks GitHub. */
export function createReadDiff(parts: {
  openProject: OpenProject;
  /** Undefined: this process has no mirrors. */
  repositories: FileSources | undefined;
}): ReadDiff {
  const { openProject, repositories } = parts;
  return async ({ project, job, signal }) => {
    const number = job.pull_request_number;
    if (number === null) return { files: [], truncated: false };
    const permissions = { contents: 'read', pull_requests: 'read' } as const;
    await using access = await openProject(project, permissions, signal);
    const { client } = access;
    if (repositories) {
      const { headSha, baseSha, base, isOpen } = await client.fetchPullRequestTips(number);
      // For an ended pull request, GitHub keeps the base at its end.
      const target = isOpen ? ((await client.findBranchTip(base)) ?? baseSha) : baseSha;
      const place = { repositoryId: project.repository_id, signal };
      const files = await readInMirror(repositories, place, async (at) => {
        const from = await findMergeBase({ ...at, commits: [target, headSha] });
        return from && readFileDiffs({ ...at, from, to: headSha, maxBytes: maxDiffBytes });
      });
      if (files) return boundDiff(files);
    }
    return boundDiff(await client.listPullRequestFiles(number));
  };
}
