import type { FileDiff } from '../file-diff.ts';
import { findMergeBase } from '../git/commits.ts';
import { readFileDiffs } from '../git/diffs.ts';
import { GitError } from '../git/errors.ts';
import type { Git } from '../git/git.ts';
import type { Mirrors } from '../git/mirrors/mirrors.ts';
import type { OpenProject } from '../projects/open-project.ts';
import type { Job } from '../store/tables/jobs/jobs.ts';
import type { Project } from '../store/tables/repositories/projects.ts';
import { boundDiff, type Diff, maxDiffBytes } from './format-diff.ts';

/** Only a process with a disk has it. */
interface Repositories {
  git: Git;
  mirrors: Mirrors;
}

/** The change of the job's pull request against its merge base with the target; empty before there is one. Throws as `OpenProject`. */
export type ReadDiff = (work: { project: Project; job: Job; signal: AbortSignal }) => Promise<Diff>;

/** Reads the mirror, if it has the commits that GitHub names, else asks GitHub. */
export function createReadDiff(parts: {
  openProject: OpenProject;
  /** Undefined: this process has no mirrors. */
  repositories: Repositories | undefined;
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
      const place = { repositoryId: project.repository_id, headSha, target, signal };
      const files = await readFromMirror(repositories, place);
      if (files) return boundDiff(files);
    }
    return boundDiff(await client.listPullRequestFiles(number));
  };
}

async function readFromMirror(
  { git, mirrors }: Repositories,
  options: { repositoryId: number; headSha: string; target: string; signal: AbortSignal },
): Promise<FileDiff[] | undefined> {
  const { repositoryId, headSha, target, signal } = options;
  using mirror = await mirrors.openExisting(repositoryId);
  if (!mirror) return undefined;
  const place = { git, gitDir: mirror.directory, signal };
  try {
    const from = await findMergeBase({ ...place, commits: [target, headSha] });
    return from === undefined
      ? undefined
      : await readFileDiffs({ ...place, from, to: headSha, maxBytes: maxDiffBytes });
  } catch (error) {
    // A damaged mirror, which the next fetch replaces.
    if (error instanceof GitError) return undefined;
    throw error;
  }
}
