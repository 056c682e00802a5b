import type { InRepository } from './git.ts';

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

/** An entry of a tree as the index takes it. Mode `0`: it is removed. */
export interface TreeEntry {
  path: string;
  mode: string;
  sha: string;
}

/** Writes the tree that `sha` becomes by these changes, using `indexFile` for scratch, and returns its SHA. */
export async function writeTree({
  changes,
  ...given
}: InRepository & { sha: string; changes: readonly TreeChange[]; indexFile: string }): Promise<string> {
  const entries: TreeEntry[] = [];
  for (const { path, bytes, isExecutable } of changes) {
    const mode = bytes === null ? '0' : isExecutable ? '100755' : '100644';
    entries.push({ path, mode, sha: bytes === null ? '' : await writeBlob({ ...given, bytes }) });
  }
  return writeEntries({ ...given, entries });
}

/** The same with entries whose objects are there already. */
export async function writeEntries({
  git,
  gitDir,
  sha,
  entries,
  indexFile,
  signal,
}: InRepository & {
  /** A commit or a tree. */
  sha: string;
  entries: readonly TreeEntry[];
  indexFile: string;
}): Promise<string> {
  const options = { signal, gitDir, env: { GIT_INDEX_FILE: indexFile } };
  await git(['read-tree', sha], options);
  const nothing = '0'.repeat(sha.length);
  const lines = entries.map((entry) => `${entry.mode} ${entry.mode === '0' ? nothing : entry.sha}\t${entry.path}\0`);
  await git(['update-index', '-z', '--index-info'], { ...options, stdin: lines.join('') });
  return (await git(['write-tree'], options)).stdout.toString().trim();
}

/** Writes a commit and returns its SHA. */
export async function writeCommit({
  git,
  gitDir,
  tree,
  parents,
  details: { message, author, committer, date },
  signal,
}: InRepository & { tree: string; parents: readonly string[]; details: CommitDetails }): Promise<string> {
  // With the @, git takes any number for seconds; without it, only large ones.
  const when = `@${Math.floor(date.getTime() / 1000)} +0000`;
  const { stdout } = await git(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])], {
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
export async function readTreeSha({ git, gitDir, sha, signal }: InRepository & { sha: string }): Promise<string> {
  return (await git(['rev-parse', '--verify', `${sha}^{tree}`], { signal, gitDir })).stdout.toString().trim();
}

/** Stores the content of a file and returns its name. */
export async function writeBlob({ git, gitDir, bytes, signal }: InRepository & { bytes: Uint8Array }): Promise<string> {
  const { stdout } = await git(['hash-object', '-w', '--stdin', '--no-filters'], { signal, gitDir, stdin: bytes });
  return stdout.toString().trim();
}
