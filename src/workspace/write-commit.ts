import type { Git } from './git.ts';

/** Who made a commit. */
export interface Identity {
  name: string;
  email: string;
}

/** What makes a commit besides its tree and parents. All of it given: the same in, the same SHA out, on any machine. */
export interface CommitDetails {
  message: string;
  author: Identity;
  committer: Identity;
  /** Author's and committer's date, in UTC and whole seconds. */
  date: Date;
}

/** A file of a new tree, or its absence. */
export interface TreeChange {
  path: string;
  bytes: Uint8Array | null;
  isExecutable: boolean;
}

/** Writes the tree that `sha` becomes by these changes, using `indexFile` for scratch, and returns its SHA. */
export async function writeTree({
  git,
  gitDir,
  sha,
  changes,
  indexFile,
  signal,
}: {
  git: Git;
  gitDir: string;
  sha: string;
  changes: readonly TreeChange[];
  indexFile: string;
  signal: AbortSignal;
}): Promise<string> {
  const options = { signal, gitDir, env: { GIT_INDEX_FILE: indexFile } };
  await git(['read-tree', sha], options);
  const lines: string[] = [];
  for (const { path, bytes, isExecutable } of changes) {
    const blob = bytes === null ? '0'.repeat(sha.length) : await writeBlob(git, gitDir, bytes, signal);
    const mode = bytes === null ? '0' : isExecutable ? '100755' : '100644';
    lines.push(`${mode} ${blob}\t${path}\0`);
  }
  await git(['update-index', '-z', '--index-info'], { ...options, stdin: lines.join('') });
  return (await git(['write-tree'], options)).stdout.toString().trim();
}

/** Writes a commit with one parent and returns its SHA. */
export async function writeCommit({
  git,
  gitDir,
  tree,
  parent,
  details: { message, author, committer, date },
  signal,
}: {
  git: Git;
  gitDir: string;
  tree: string;
  parent: string;
  details: CommitDetails;
  signal: AbortSignal;
}): Promise<string> {
  const when = `${Math.floor(date.getTime() / 1000)} +0000`;
  const { stdout } = await git(['commit-tree', tree, '-p', parent], {
    signal,
    gitDir,
    stdin: message.endsWith('\n') ? message : `${message}\n`,
    env: {
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_AUTHOR_DATE: when,
      GIT_COMMITTER_NAME: committer.name,
      GIT_COMMITTER_EMAIL: committer.email,
      GIT_COMMITTER_DATE: when,
    },
  });
  return stdout.toString().trim();
}

/** The tree of a commit. */
export async function readTreeSha(git: Git, gitDir: string, sha: string, signal: AbortSignal): Promise<string> {
  return (await git(['rev-parse', '--verify', `${sha}^{tree}`], { signal, gitDir })).stdout.toString().trim();
}

async function writeBlob(git: Git, gitDir: string, bytes: Uint8Array, signal: AbortSignal): Promise<string> {
  const { stdout } = await git(['hash-object', '-w', '--stdin', '--no-filters'], { signal, gitDir, stdin: bytes });
  return stdout.toString().trim();
}
