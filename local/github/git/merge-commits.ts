import { GitError, runGit } from './run-git.ts';
import { runPureGit } from './run-pure-git.ts';
import type { Person } from './write-commit.ts';

/** The tree of both sides merged, without a work tree; undefined when they conflict. */
export async function findMergedTree(directory: string, base: string, head: string): Promise<string | undefined> {
  try {
    const args = ['merge-tree', '--write-tree', '--no-messages', base, head];
    return (await runPureGit(directory, args, [base, head])).trim();
  } catch (error) {
    if (error instanceof GitError && error.status === 1) return undefined;
    throw error;
  }
}

export async function commitTree(
  directory: string,
  commit: { tree: string; parents: string[]; message: string; author: Person; date: Date },
): Promise<string> {
  const date = `${Math.floor(commit.date.getTime() / 1000)} +0000`;
  const { name, email } = commit.author;
  const output = await runGit(
    directory,
    ['commit-tree', commit.tree, ...commit.parents.flatMap((parent) => ['-p', parent])],
    {
      input: commit.message,
      environment: {
        GIT_AUTHOR_NAME: name,
        GIT_AUTHOR_EMAIL: email,
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_NAME: 'GitHub',
        GIT_COMMITTER_EMAIL: 'noreply@github.com',
        GIT_COMMITTER_DATE: date,
      },
    },
  );
  return output.trim();
}

/** Moves a ref if it still has the value `from`, else throws `GitError`. An empty `from`: it must not exist. */
export async function moveRef(directory: string, ref: string, to: string, from: string): Promise<void> {
  await runGit(directory, ['update-ref', ref, to, from]);
}
