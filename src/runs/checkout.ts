import type { ContextEntry } from '../context/context-repository.ts';
import type { Docs } from '../docs-session/docs.ts';
import type { Mirror } from '../git/mirrors/mirrors.ts';
import type { Bot } from '../github/auth/app.ts';
import type { Repository } from '../github/calls/repository.ts';
import type { PushRestrictions, WriteRules } from '../policy/write-rules.ts';
import type { Settings } from '../repository/settings.ts';
import type { OtherRepository } from '../tools/tool-parts.ts';
import type { MergeConflict } from '../workspace/merges/conflicts.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** What decides what the texts of a run may show. */
export interface Audience {
  repository: Repository;
  guidance: Guidance;
}

export interface Checkout extends Audience, AsyncDisposable {
  /** The address of the repository's git server, without credentials. */
  url: string;
  bot: Bot;
  mirror: Mirror;
  base: Base;
  /** The commit where the pull request begins: the newest that the base commit and its target have in common. */
  mergeBaseSha: string;
  workspace: Workspace;
  /** Compared with the commit where the pull request begins, so that a later run sees faults of an earlier one. */
  docs: Docs;
  pushRules: PushRules;
  writeRules: WriteRules;
  contextRepositories: ContextRepositories;
}

export interface Guidance {
  settings: Settings;
  /** Mistakes in the settings, for people. */
  problems: string[];
  writingRules: GuidanceFile[];
  /** Paths of rules and style guides that are too long to quote. */
  unread: string[];
  pullRequestTemplate: GuidanceFile | undefined;
  /** The paths of the files that the run follows. */
  sources: string[];
}

export interface GuidanceFile {
  path: string;
  text: string;
}

export interface Base {
  /** The branch's tip when the run began, or the target's tip where there was no branch. */
  sha: string;
  /** The target's conflicting commit that the run merges; null: none. */
  mergedBaseSha: string | null;
  /** The commit of the workspace's files: `sha`, or the merge of the two, with conflict markers. */
  filesSha: string;
  conflicts: MergeConflict[];
}

export interface PushRules {
  /** Commits must be signed, so GitHub makes them. */
  isSigned: boolean;
  isLinear: boolean;
  forbid: PushRestrictions;
}

/** A context repository at the commit that the run reads. */
export interface OpenRepository extends OtherRepository {
  /** As the settings name it. */
  name: string;
  /** Its entry in the settings. */
  entry: ContextEntry;
  sha: string;
  /** Its last known name and visibility. */
  repository: Repository;
}

/** The context repositories of a run. Each question whether one may still be read is asked of GitHub, at most every few seconds. */
export interface ContextRepositories extends AsyncDisposable {
  opened: readonly OpenRepository[];
  /** As the settings name them: also those that may not be read. */
  names: readonly string[];
  /** Undefined: it may be read. Otherwise why not, for people; the run's warnings have it from then on. */
  findObstacle(repository: OpenRepository, signal: AbortSignal): Promise<string | undefined>;
}
