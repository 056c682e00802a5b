import { GitError } from '../git/errors.ts';
import type { Git } from '../git/git.ts';
import type { Mirrors } from '../git/mirrors/mirrors.ts';
import type { OpenProject } from '../projects/open-project.ts';
import type { Job } from '../store/tables/jobs/jobs.ts';
import type { Project } from '../store/tables/repositories/projects.ts';

const maxBytes = 1024 * 1024;

/**
 * A file of the job's pull request, as it is after the change. Undefined: it is no text, has more than 1 MiB, or does not exist. Throws as
 * `OpenProject`. `path` is one that a diff names.
 */
export type ReadDiffText = (work: {
  project: Project;
  job: Job;
  path: string;
  signal: AbortSignal;
}) => Promise<string | undefined>;

/** Reads the mirror, if it has the commit, else asks GitHub. */
export function createReadText({
  openProject,
  repositories,
}: {
  openProject: OpenProject;
  /** Undefined: this process has no mirrors. */
  repositories: { git: Git; mirrors: Mirrors } | undefined;
}): ReadDiffText {
  async function readFromMirror(
    repositoryId: number,
    object: string,
    signal: AbortSignal,
  ): Promise<Buffer | undefined> {
    if (!repositories) return undefined;
    using mirror = await repositories.mirrors.openExisting(repositoryId);
    if (!mirror) return undefined;
    const limits = { maxOutputBytes: maxBytes + 1, onLongOutput: 'truncate' } as const;
    try {
      return (await repositories.git(['cat-file', 'blob', object], { gitDir: mirror.directory, signal, ...limits }))
        .stdout;
    } catch (error) {
      // The mirror does not have the commit yet.
      if (error instanceof GitError) return undefined;
      throw error;
    }
  }

  return async ({ project, job, path, signal }) => {
    if (job.pull_request_number === null) return undefined;
    const permissions = { contents: 'read', pull_requests: 'read' } as const;
    await using access = await openProject(project, permissions, signal);
    const { headSha } = await access.client.fetchPullRequestTips(job.pull_request_number);
    const bytes = await readFromMirror(project.repository_id, `${headSha}:${path}`, signal);
    if (bytes) {
      const text = bytes.length > maxBytes ? undefined : decode(bytes);
      return text;
    }
    const fetched = await access.client.fetchFile(path, headSha);
    return fetched.kind === 'text' ? fetched.text : undefined;
  };
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
