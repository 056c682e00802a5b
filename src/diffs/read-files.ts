import { GitError } from '../git/errors.ts';
import type { Git } from '../git/git.ts';
import type { Mirrors } from '../git/mirrors/mirrors.ts';
import type { OpenProject } from '../projects/open-project.ts';
import type { Job } from '../store/tables/jobs/jobs.ts';
import type { Project } from '../store/tables/repositories/projects.ts';

const maxBytes = 1024 * 1024;

/** A file of a commit, or of a job's pull request as it is after the change. */
interface FilePlace {
  project: Project;
  of: { sha: string } | { job: Job };
  path: string;
  signal: AbortSignal;
}

/** Undefined: it does not exist, or has more than 1 MiB. Throws as `OpenProject`. */
export type ReadFileAt = (place: FilePlace) => Promise<Buffer | undefined>;

/** Reads the mirror, if it has the commit, else asks GitHub. */
export function createReadFileAt(options: {
  openProject: OpenProject;
  /** Undefined: this process has no mirrors. */
  repositories: { git: Git; mirrors: Mirrors } | undefined;
}): ReadFileAt {
  const { openProject, repositories } = options;
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
      // The mirror does not have the commit yet, or the commit not the file.
      if (error instanceof GitError) return undefined;
      throw error;
    }
  }

  async function ask({ project, of, path, signal }: FilePlace): Promise<Buffer | undefined> {
    const permissions = { contents: 'read', pull_requests: 'read' } as const;
    await using access = await openProject(project, permissions, signal);
    const { client } = access;
    let sha: string;
    if ('sha' in of) sha = of.sha;
    else {
      if (of.job.pull_request_number === null) return undefined;
      sha = (await client.fetchPullRequestTips(of.job.pull_request_number)).headSha;
      const bytes = await readFromMirror(project.repository_id, `${sha}:${path}`, signal);
      if (bytes) return bytes;
    }
    const fetched = await client.fetchBytes(path, sha);
    return fetched.kind === 'bytes' ? fetched.bytes : undefined;
  }

  return async (place) => {
    const { project, of, path, signal } = place;
    const known = 'sha' in of ? await readFromMirror(project.repository_id, `${of.sha}:${path}`, signal) : undefined;
    const bytes = known ?? (await ask(place));
    return bytes && bytes.length <= maxBytes ? bytes : undefined;
  };
}

/** Undefined: it is no text. */
export function decodeFile(bytes: Uint8Array | undefined): string | undefined {
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
