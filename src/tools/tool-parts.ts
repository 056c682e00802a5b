import type { Docs } from '../docs-session/docs.ts';
import type { FileDiff } from '../file-diff.ts';
import type { RunTask } from '../threads/threads.ts';
import type { ReadableFiles, Workspace } from '../workspace/workspace.ts';
import type { Refused } from '../workspace/workspace-files.ts';
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

/** A repository that tools may read, and not write. */
export interface OtherRepository {
  /** `@acme/api`: its files are below it. */
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

interface Here<Files> {
  kind: 'here';
  files: Files;
  path: string;
}

interface There {
  kind: 'there';
  files: ReadableFiles;
  /** With the prefix. */
  path: string;
  /** Without it. */
  inside: string;
  repository: OtherRepository;
}

/** The files that a path of a tool's arguments is in. */
export async function findPlace<Files extends ReadableFiles>(
  { workspace, others }: { workspace: Files; others: OtherRepositories },
  path: string,
  signal: AbortSignal,
): Promise<Here<Files> | There | Refused> {
  if (!others.isOutside(path)) return { kind: 'here', files: workspace, path };
  const found = await others.find(path, signal);
  if (found.kind === 'refused') return found;
  const { repository, inside } = found;
  const { prefix, files } = repository;
  return { kind: 'there', files, path: inside === '' ? prefix : `${prefix}/${inside}`, inside, repository };
}
