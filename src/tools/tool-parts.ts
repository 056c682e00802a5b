import type { Docs } from '../docs-session/docs.ts';
import type { FileDiff } from '../file-diff.ts';
import type { RunTask } from '../threads/threads.ts';
import type { ReadableFiles, Workspace } from '../workspace/workspace.ts';
import type { Refused } from '../workspace/workspace-files.ts';
import type { Writes } from '../workspace/write-set.ts';
import type { ToolLimits } from './output/limits.ts';

/** A pull request that was handed over with an instruction. */
export interface HandedChange {
  /** `acme/api#12`. */
  reference: string;
  title: string;
  body: string;
  author: string;
  state: string;
  files: readonly FileDiff[];
  /** Files beyond those. */
  more: number;
}

/** The parts that tools need. `runTask` runs work that may block the event loop for more than a few milliseconds. */
export interface ToolParts {
  workspace: Workspace;
  limits: ToolLimits;
  runTask: RunTask;
  docs: Docs;
  others: OtherRepositories;
  /** The pull requests that instructions of the job brought along. */
  changes: () => Promise<readonly HandedChange[]>;
}

/** A repository that tools may read. */
export interface OtherRepository {
  /** `@acme/api`: its files are below it. Empty: the run's own. */
  prefix: string;
  /** Each path has the prefix. */
  files: ReadableFiles;
  /** The paths have no prefix. */
  plainFiles: ReadableFiles;
  docs: Docs;
}

export interface OtherRepositories {
  /** For the list of the root: each repository, and how many files it has. */
  list(): { prefix: string; count: number }[];
  /** Whether a path names another repository, be it one that may be read or not. */
  isOutside(path: string): boolean;
  /** Asks whether it may still be read. `inside`: the path in it, which the caller may have begun with a former name. */
  find(
    path: string,
    signal: AbortSignal,
  ): Promise<{ kind: 'found'; repository: OtherRepository; inside: string } | Refused>;
}

export const noOtherRepositories: OtherRepositories = {
  list: () => [],
  isOutside: () => false,
  find: async () => ({ kind: 'refused', reason: 'there are no other repositories' }),
};

interface Place extends OtherRepository {
  kind: 'place';
  /** With the prefix. */
  path: string;
  /** Without it. */
  inside: string;
  /** What the run has changed there. */
  writes: () => Writes;
}

/** Where a path of a tool's arguments is. */
export async function findPlace(
  { workspace, docs, others }: ToolParts,
  path: string,
  signal: AbortSignal,
): Promise<Place | Refused> {
  if (!others.isOutside(path)) {
    const own = { prefix: '', files: workspace, plainFiles: workspace, docs };
    return { kind: 'place', ...own, path, inside: path, writes: workspace.writes };
  }
  const found = await others.find(path, signal);
  if (found.kind === 'refused') return found;
  const { repository, inside } = found;
  const { prefix } = repository;
  return {
    kind: 'place',
    ...repository,
    path: inside === '' ? prefix : `${prefix}/${inside}`,
    inside,
    writes: () => new Map(),
  };
}
