import type { Docs } from '../docs-session/docs.ts';
import type { FileDiff } from '../file-diff.ts';
import type { RunTask } from '../threads/threads.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { OtherRepositories } from './other-repositories.ts';
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
