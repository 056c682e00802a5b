import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCommit, isReadable } from '../git/commits.ts';
import { GitError } from '../git/errors.ts';
import type { Git, InRepository } from '../git/git.ts';
import type { Mirror } from '../git/mirrors/mirrors.ts';
import { runGit } from '../git/run-git.ts';
import { readTree, type Tree } from '../git/tree.ts';
import { createBaseFiles } from '../policy/base-files.ts';
import { createPolicy } from '../policy/policy.ts';
import type { WriteRules } from '../policy/write-rules.ts';
import type { ScanText } from '../secrets/scanner.ts';
import { findSecrets } from '../secrets/scanner.ts';
import { realTiming } from '../timing.ts';
import { createScratchFolders } from './scratch-folders.ts';
import { createWorkspace, type Workspace, type WorkspaceLimits } from './workspace.ts';
import { WorkspaceRefusal } from './workspace-refusal.ts';

const checkoutTimeoutMs = 10 * 60_000;

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

interface OpenWorkspace {
  runId: string;
  mirror: Mirror;
  /** The commit to check out, and the parent of the new commit. */
  sha: string;
  /** The write set of an earlier worker of the run, applied to the files. */
  writes: ReadonlyMap<string, Uint8Array | null>;
  rules?: WriteRules | undefined;
  signal: AbortSignal;
}

/**
 * `open` throws `GitRefusal` with `repository_too_large`, and `WorkspaceRefusal` with `base_rewritten` or `earlier_write_refused`.
 * `removeOrphans`, called at start and by a timer, removes the folders of dead processes.
 */
export function createWorkspaces(parts: {
  git: Git;
  directory: string;
  scanText?: ScanText;
  limits?: Partial<WorkspacesLimits>;
}) {
  const { git, directory, limits: overrides, scanText = findSecrets } = parts;
  const limits = { ...defaultLimits, ...overrides };
  const folders = createScratchFolders({ directory });

  async function open({ runId, mirror, sha, writes, rules, signal }: OpenWorkspace): Promise<Workspace> {
    const gitDir = mirror.directory;
    await using stack = new AsyncDisposableStack();
    const { path: scratch } = stack.use(await folders.make(runId));
    const files = join(scratch, 'files');
    await mkdir(files);

    const at = { git, gitDir, signal };
    const tree = await checkOut(at, sha, scratch).catch(async (error: unknown) => {
      if (!(error instanceof GitError) || error.failure !== 'exit') throw error;
      // After a force-push, the base commit of a resumed run may be gone.
      if (!(await hasCommit({ ...at, sha })))
        throw new WorkspaceRefusal({ reason: 'base_rewritten' }, { cause: error });
      // A full disk fails the checkout as well; a new mirror would not help.
      if (!(await isReadable({ ...at, sha }))) await mirror.markDamaged();
      throw error;
    });
    const policy = await createPolicy({ base: createBaseFiles({ ...at, sha, tree }), rules });
    const workspace = await createWorkspace({
      git,
      gitDir,
      sha,
      tree,
      directory: files,
      policy,
      findSecrets: (text) => scanText(text, { signal, owner: runId }),
      limits,
    });
    for (const [path, bytes] of removalsFirst(writes)) {
      const result = await workspace.applyWrite(path, bytes);
      if (result.kind === 'refused')
        throw new WorkspaceRefusal({ reason: 'earlier_write_refused', detail: result.reason });
    }
    const cleanup = stack.move();
    return { ...workspace, [Symbol.asyncDispose]: () => cleanup.disposeAsync() };
  }

  async function checkOut(at: InRepository, sha: string, scratch: string): Promise<Tree> {
    const { maxFiles, maxBytes } = limits;
    const tree = await readTree({ ...at, sha, maxFiles, maxBytes });
    const files = join(scratch, 'files');
    const options = {
      cwd: files,
      env: { GIT_WORK_TREE: files, GIT_INDEX_FILE: join(scratch, 'index') },
      timeoutMs: checkoutTimeoutMs,
    };
    // Links, submodules and forbidden names must never reach the disk.
    if (tree.others.size === 0) {
      await runGit(at, ['read-tree', '--reset', '-u', sha], options);
      return tree;
    }
    await runGit(at, ['read-tree', sha], options);
    await runGit(at, ['checkout-index', '--quiet', '-z', '--stdin'], {
      ...options,
      stdin: Array.from(tree.files.keys(), (path) => `${path}\0`).join(''),
    });
    return tree;
  }

  return { open, removeOrphans: folders.removeOrphans };
}

export type Workspaces = ReturnType<typeof createWorkspaces>;

/** Removals first, because a file may replace an emptied folder. */
const removalsFirst = (writes: ReadonlyMap<string, Uint8Array | null>) =>
  [...writes].toSorted(([, a], [, b]) => Number(b === null) - Number(a === null));
