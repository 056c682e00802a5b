import { join } from 'node:path';
import { countChangedFiles } from '../git/diffs.ts';
import type { Git } from '../git/git.ts';
import { checkPath } from '../git/paths.ts';
import type { Tree } from '../git/tree.ts';
import { type CommitDetails, readTreeSha, writeCommit, writeTree } from '../git/write-commit.ts';
import { requireAllowedChanges } from './policy/require-allowed-changes.ts';
import { findObstacle, type WriteLimits, type WriteRules } from './policy/write-rules.ts';
import { type SearchQuery, type SearchResult, searchFiles } from './search.ts';
import { createWorkspaceFiles, type ReadResult, type Refused } from './workspace-files.ts';
import { createWriteSet } from './write-set.ts';

/** `changedFiles`: how many differ from the commit that the workspace was opened at; a renamed file is one. */
export interface WorkspaceCommit {
  sha: string;
  changedFiles: number;
}

/**
 * The files that one run edits. A path may be any text: each is judged, and nothing outside the workspace, no symbolic link, no submodule
 * and no protected path is ever written. Calls take effect one after the other.
 */
export interface Workspace extends AsyncDisposable {
  /** A plain folder without `.git`. Others may read it, never write. */
  directory: string;
  /** Every file that can be read, sorted, relative, with /. */
  listFiles(): string[];
  readFile(path: string): Promise<ReadResult>;
  writeFile(path: string, text: string): Promise<{ kind: 'written' } | Refused>;
  removeFile(path: string): Promise<{ kind: 'removed' } | { kind: 'missing' } | Refused>;
  moveFile(from: string, to: string): Promise<{ kind: 'moved' } | { kind: 'missing' } | Refused>;
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult>;
  /** Everything that differs from the commit the workspace was opened at, by path, in order; null: removed. */
  writes(): ReadonlyMap<string, Uint8Array | null>;
  /**
   * Commits the write set onto the commit the workspace was opened at; null when nothing differs. The same inputs give the same SHA, also
   * in another process. Throws `WorkspaceRefusal` with `protected_paths` when the new tree differs in anything it may not.
   */
  commit(options: CommitOptions): Promise<WorkspaceCommit | null>;
}

export interface CommitOptions extends CommitDetails {
  /**
   * What the commit follows instead of the commit the workspace was opened at: for a workspace on a merge, the branch's tip and the base.
   * Its files stay those of the workspace.
   */
  parents?: readonly [string, ...string[]] | undefined;
  /** Commits also when nothing differs: what is published then is the merge that the workspace was opened on. */
  allowEmpty?: boolean | undefined;
  signal: AbortSignal;
}

export interface WorkspaceLimits extends WriteLimits {
  maxReadBytes: number;
  searchTimeoutMs: number;
}

/**
 * Builds the workspace over `directory`, which holds the files of `tree` already. `scratch` contains it; removing it is left to the caller.
 * `applyWrite` is how an earlier write set comes back.
 */
export function createWorkspace({
  git,
  gitDir,
  sha,
  tree,
  scratch,
  directory,
  rules,
  limits,
}: {
  git: Git;
  gitDir: string;
  sha: string;
  tree: Tree;
  scratch: string;
  directory: string;
  rules: WriteRules | undefined;
  limits: WorkspaceLimits;
}): Omit<Workspace, typeof Symbol.asyncDispose> & {
  applyWrite(path: string, bytes: Uint8Array | null): Promise<{ kind: 'written' } | Refused>;
} {
  const writeSet = createWriteSet(tree);
  const files = createWorkspaceFiles({ tree, files: writeSet, directory, rules, limits });

  async function search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult> {
    // The root may be asked for by what means "here", which is no path of a file.
    const isRoot = query.path === undefined || /^(\.?\/*)$/.test(query.path);
    const judged = isRoot || query.path === undefined ? undefined : checkPath(query.path);
    if (judged?.kind === 'refused') {
      return judged;
    }
    const path = judged?.path;
    const reason =
      path === undefined || writeSet.has(path) || writeSet.hasFolder(path)
        ? undefined
        : (findObstacle(tree, path) ?? `there is no file or folder ${path}`);
    return reason === undefined
      ? searchFiles({ git, gitDir, directory, query: { ...query, path }, timeoutMs: limits.searchTimeoutMs, signal })
      : { kind: 'refused', reason };
  }

  async function commit({
    signal,
    parents = [sha],
    allowEmpty = false,
    ...details
  }: CommitOptions): Promise<WorkspaceCommit | null> {
    const changes = writeSet.changes();
    const indexFile = join(scratch, 'commit-index');
    const newTree = await writeTree({ git, gitDir, sha, changes, indexFile, signal });
    if (!allowEmpty && newTree === (await readTreeSha({ git, gitDir, sha, signal }))) {
      return null;
    }
    const expected = writeSet.writes();
    await requireAllowedChanges({ git, gitDir, from: sha, to: newTree, rules, expected, signal });
    const changedFiles = await countChangedFiles({ git, gitDir, from: sha, to: newTree, signal });
    return { sha: await writeCommit({ git, gitDir, tree: newTree, parents, details, signal }), changedFiles };
  }

  return {
    directory,
    listFiles: writeSet.list,
    readFile: files.read,
    writeFile: files.writeText,
    removeFile: files.remove,
    moveFile: files.move,
    applyWrite: files.write,
    search,
    writes: writeSet.writes,
    commit,
  };
}
