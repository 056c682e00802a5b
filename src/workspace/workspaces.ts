import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCommit, isReadable } from '../git/commits.ts';
import { GitError } from '../git/errors.ts';
import type { Git, InRepository } from '../git/git.ts';
import type { Mirror } from '../git/mirrors/mirrors.ts';
import { readTree, type Tree } from '../git/tree.ts';
import { realTiming } from '../timing.ts';
import type { WriteRules } from './policy/write-rules.ts';
import { createScratchFolders } from './scratch-folders.ts';
import { createWorkspace, type Workspace, type WorkspaceLimits } from './workspace.ts';
import { WorkspaceRefusal } from './workspace-refusal.ts';

export type { Workspace } from './workspace.ts';

export interface WorkspacesLimits extends WorkspaceLimits {
  maxFiles: number;
  maxBytes: number;
}

const defaultLimits: WorkspacesLimits = {
  maxFiles: 100_000,
  maxBytes: 2 * 1024 ** 3,
  maxReadBytes: 2 * 1024 ** 2,
  searchTimeoutMs: realTiming.git.searchTimeoutMs,
  maxFileBytes: 2 * 1024 ** 2,
  maxChangedFiles: 1_000,
  maxChangedBytes: 32 * 1024 ** 2,
};

export interface OpenWorkspace {
  runId: string;
  mirror: Pick<Mirror, 'directory' | 'markDamaged'>;
  /** The commit that the files are taken from and that the new one will follow. */
  sha: string;
  /** What an earlier worker of the same run wrote; laid over the files. */
  writes: ReadonlyMap<string, Uint8Array | null>;
  /** What may be written here, and so be laid over the files. */
  rules?: WriteRules | undefined;
  signal: AbortSignal;
}

/**
 * Workspaces of this machine, each in a folder of its own below `directory`, named after its run.
 *
 * `open` throws `GitRefusal` with `repository_too_large`, `WorkspaceRefusal` with `base_rewritten` when the commit is gone, and `earlier_write_refused` when a write
 * that is laid over the files is no longer allowed. `removeOrphans` is for the start and for a timer: it removes what processes that died
 * left.
 */
export function createWorkspaces({
  git,
  directory,
  limits: given,
}: {
  git: Git;
  directory: string;
  limits?: Partial<WorkspacesLimits>;
}) {
  const limits = { ...defaultLimits, ...given };
  const folders = createScratchFolders({ directory });

  async function open({ runId, mirror, sha, writes, rules, signal }: OpenWorkspace): Promise<Workspace> {
    const gitDir = mirror.directory;
    await using stack = new AsyncDisposableStack();
    const { path: scratch } = stack.use(await folders.make(runId));
    const files = join(scratch, 'files');
    await mkdir(files);

    await requireCommit({ git, gitDir, sha, signal });
    const tree = await checkOut({ gitDir, sha, files, indexFile: join(scratch, 'index'), signal }).catch(
      async (error: unknown) => {
        // A full disk fails it as well, and no new mirror would help.
        if (
          error instanceof GitError &&
          error.failure === 'exit' &&
          !(await isReadable({ git, gitDir, sha, signal }))
        ) {
          await mirror.markDamaged();
        }
        throw error;
      },
    );
    const workspace = createWorkspace({ git, gitDir, sha, tree, scratch, directory: files, rules, limits });
    for (const [path, bytes] of removalsFirst(writes)) {
      const result = await workspace.applyWrite(path, bytes);
      if (result.kind === 'refused') {
        throw new WorkspaceRefusal({ reason: 'earlier_write_refused', detail: result.reason });
      }
    }
    const held = stack.move();
    return { ...workspace, [Symbol.asyncDispose]: () => held.disposeAsync() };
  }

  async function checkOut({
    gitDir,
    sha,
    files,
    indexFile,
    signal,
  }: {
    gitDir: string;
    sha: string;
    files: string;
    indexFile: string;
    signal: AbortSignal;
  }): Promise<Tree> {
    const { maxFiles, maxBytes } = limits;
    const tree = await readTree({ git, gitDir, sha, maxFiles, maxBytes, signal });
    const options = {
      signal,
      gitDir,
      cwd: files,
      env: { GIT_WORK_TREE: files, GIT_INDEX_FILE: indexFile },
      timeoutMs: realTiming.git.checkoutTimeoutMs,
    };
    await git(['read-tree', sha], options);
    // By name, so that links, submodules and forbidden names never reach the disk in any form.
    await git(['checkout-index', '--quiet', '-z', '--stdin'], {
      ...options,
      stdin: Array.from(tree.files.keys(), (path) => `${path}\0`).join(''),
    });
    return tree;
  }

  return { open, removeOrphans: folders.removeOrphans };
}

export type Workspaces = ReturnType<typeof createWorkspaces>;

/** A run that is taken up again may have started from a commit that is no longer in the branch. */
async function requireCommit(given: InRepository & { sha: string }): Promise<void> {
  if (!(await hasCommit(given))) {
    throw new WorkspaceRefusal({ reason: 'base_rewritten' });
  }
}

/** A file may stand where a folder was emptied. */
const removalsFirst = (writes: ReadonlyMap<string, Uint8Array | null>) =>
  [...writes].toSorted(([, a], [, b]) => Number(b === null) - Number(a === null));
