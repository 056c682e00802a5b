import { readRawDiff } from '../git/diffs.ts';
import type { Git } from '../git/git.ts';
import { findObstacle, type Tree } from '../git/tree.ts';
import { type CommitDetails, importCommit } from '../git/write-commit.ts';
import { type FindSecrets, findSecretRefusal } from '../policy/hide-secrets.ts';
import type { Access, Policy } from '../policy/policy.ts';
import { requireAllowedChanges } from '../policy/require-allowed-changes.ts';
import { type CountResult, createSearch, type SearchMatch, type SearchQuery, type SearchResult } from './search.ts';
import {
  createWorkspaceFiles,
  type FileMove,
  type MoveResult,
  type ReadResult,
  type Refused,
} from './workspace-files.ts';
import { createWriteSet, type WriteLimits, type Writes } from './write-set.ts';

/** `changedFiles` counts files that differ from the opened commit; a renamed file counts once. */
export interface WorkspaceCommit {
  sha: string;
  changedFiles: number;
}

/** The half of a workspace that changes nothing. */
export interface ReadableFiles {
  /** In order, without what the policy hides. The list changes with the files. */
  listFiles(): readonly string[];
  /** A few words for lists, such as `protected`; undefined: the file may be written freely. */
  mark(path: string): string | undefined;
  /** What an edit of the file may change, with the reason of a restriction. */
  describeAccess(path: string): Access;
  readFile(path: string): Promise<ReadResult>;
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult>;
  /** The same search, but only how many lines match in each file. */
  countMatches(query: SearchQuery, signal: AbortSignal): Promise<CountResult>;
}

interface WorkspaceCore extends ReadableFiles {
  /** A plain folder without `.git`, read-only for callers. */
  directory: string;
  writeFile(path: string, text: string): Promise<{ kind: 'written' } | Refused>;
  /** All or nothing. The paths are those of `listFiles`, or have passed `checkPath`. */
  writeFiles(texts: ReadonlyMap<string, string>): Promise<{ kind: 'written' } | Refused>;
  removeFile(path: string): Promise<{ kind: 'removed' } | { kind: 'missing' } | Refused>;
  /** All or nothing, also when `signal` aborts. */
  moveFiles(moves: readonly FileMove[], signal: AbortSignal): Promise<MoveResult>;
  /** All files that differ from the opened commit, in order. */
  writes(): Writes;
  /** The text of the opened commit at a path of the write set; undefined: no file, or not text. */
  readOriginal(path: string): string | undefined;
  /** Null when nothing differs. Deterministic. Throws `WorkspaceRefusal` with `protected_paths` for a forbidden change. */
  commit(options: CommitOptions): Promise<WorkspaceCommit | null>;
}

/** Never writes outside its folder, to symbolic links, submodules or protected paths. Calls run one after another. */
export interface Workspace extends WorkspaceCore, AsyncDisposable {}

interface CommitOptions extends CommitDetails {
  /** The parents, by default the opened commit. For a workspace on a merge: the tip of the branch, and the base. */
  parents?: readonly [string, ...string[]] | undefined;
  /** Commits even when nothing differs: the merge that the workspace was opened on. */
  allowEmpty?: boolean | undefined;
  signal: AbortSignal;
}

export interface WorkspaceLimits extends WriteLimits {
  maxReadBytes: number;
  searchTimeoutMs: number;
}

/** `directory` already has the files of `tree`. `applyWrite` restores a stored write set. */
export async function createWorkspace(parts: {
  git: Git;
  gitDir: string;
  sha: string;
  tree: Tree;
  directory: string;
  policy: Policy;
  findSecrets: FindSecrets;
  limits: WorkspaceLimits;
}): Promise<
  WorkspaceCore & {
    applyWrite(path: string, bytes: Uint8Array | null): Promise<{ kind: 'written' } | Refused>;
  }
> {
  const { git, gitDir, sha, tree, directory, policy, findSecrets, limits } = parts;
  const mayRead = (path: string): boolean => policy.findReadRefusal(path) === undefined;
  const writeSet = await createWriteSet(tree, mayRead);
  const files = createWorkspaceFiles({ tree, files: writeSet, directory, policy, findSecrets, limits });

  const { search, countMatches } = createSearch(
    { git, gitDir, directory, timeoutMs: limits.searchTimeoutMs },
    {
      exists,
      findRefusal: (path) => (exists(path) ? policy.findReadRefusal(path) : findObstacle(tree, path)),
      async listShown(found) {
        const shown = new Set<string>();
        for (const { path, matches } of found) if (await isShown(path, matches)) shown.add(path);
        return shown;
      },
    },
  );

  function exists(path: string): boolean {
    return writeSet.has(path) || writeSet.hasFolder(path);
  }

  /** A file that is too long to read is checked by its matching lines. */
  async function isShown(path: string, matches: readonly SearchMatch[] | undefined): Promise<boolean> {
    const file = await files.read(path);
    if (matches === undefined) return file.kind === 'text';
    if (file.kind !== 'too_large') return file.kind !== 'refused';
    const text = matches.map((match) => match.text).join('\n');
    return (await findSecretRefusal({ path, text }, findSecrets)) === undefined;
  }

  async function commit(request: CommitOptions): Promise<WorkspaceCommit | null> {
    const { signal, parents = [sha], allowEmpty = false, ...details } = request;
    const changes = writeSet.changes();
    if (changes.length === 0 && !allowEmpty) return null;
    const made = await importCommit({ git, gitDir, sha, changes, parents, details, signal });
    const change = { git, gitDir, from: sha, to: made, signal };
    await requireAllowedChanges({ ...change, policy, expected: writeSet.writes() });
    return { sha: made, changedFiles: (await readRawDiff(change)).changedFiles };
  }

  return {
    directory,
    listFiles: writeSet.list,
    mark: policy.mark,
    describeAccess: policy.describeAccess,
    readFile: files.read,
    writeFile: files.writeText,
    writeFiles: files.writeTexts,
    removeFile: files.remove,
    moveFiles: files.moveFiles,
    applyWrite: files.write,
    readOriginal: files.readOriginal,
    search,
    countMatches,
    writes: writeSet.writes,
    commit,
  };
}
