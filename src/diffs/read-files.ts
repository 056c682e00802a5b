import { GitError } from '../git/errors.ts';
import type { Git, InRepository } from '../git/git.ts';
import type { Mirrors } from '../git/mirrors/mirrors.ts';
import { readObject } from '../git/read-blobs.ts';
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

/** Only a process with a disk has them. */
export interface FileSources {
  git: Git;
  mirrors: Mirrors;
}

/** Undefined where there is no mirror, or it has not all of it: GitHub has it. */
export async function readInMirror<Result>(
  repositories: FileSources | undefined,
  { repositoryId, signal }: { repositoryId: number; signal: AbortSignal },
  read: (at: InRepository) => Promise<Result>,
): Promise<Result | undefined> {
  using mirror = await repositories?.mirrors.openExisting(repositoryId);
  if (!repositories || !mirror) return undefined;
  try {
    return await read({ git: repositories.git, gitDir: mirror.directory, signal });
  } catch (error) {
    // The mirror does not have the commit yet, or the commit not the file; or it is damaged, and the next fetch replaces it.
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

/** Reads the mirror, if it has the commit, else asks GitHub. */
export function createReadFileAt(options: {
  openProject: OpenProject;
  /** Undefined: this process has no mirrors. */
  repositories: FileSources | undefined;
}): ReadFileAt {
  const { openProject, repositories } = options;
  const readCommitted = ({ project: { repository_id: repositoryId }, path, signal }: FilePlace, sha: string) =>
    readInMirror(repositories, { repositoryId, signal }, (at) => readObject(at, `${sha}:${path}`, maxBytes + 1));

  async function ask(place: FilePlace): Promise<Buffer | undefined> {
    const { project, of, path, signal } = place;
    const permissions = { contents: 'read', pull_requests: 'read' } as const;
    await using access = await openProject(project, permissions, signal);
    const { client } = access;
    let sha: string;
    if ('sha' in of) sha = of.sha;
    else {
      if (of.job.pull_request_number === null) return undefined;
      sha = (await client.fetchPullRequestTips(of.job.pull_request_number)).headSha;
      const read = await readCommitted(place, sha);
      if (read) return read.stdout;
    }
    const fetched = await client.fetchBytes(path, sha);
    return fetched.kind === 'bytes' ? fetched.bytes : undefined;
  }

  return async (place) => {
    const known = 'sha' in place.of ? await readCommitted(place, place.of.sha) : undefined;
    const bytes = known?.stdout ?? (await ask(place));
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
