import type { Docs } from '../docs-session/docs.ts';
import type { RunTask } from '../threads/threads.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { HandedChange } from './handed-change.ts';
import type { OtherRepositories } from './other-repositories.ts';
import type { ToolLimits } from './output/limits.ts';

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
