import type { Docs } from '../../docs-session/docs.ts';
import type { Mirror } from '../../git/mirrors/mirrors.ts';
import type { Bot } from '../../github/auth/app.ts';
import type { Repository } from '../../github/calls/repository.ts';
import type { WriteRules } from '../../policy/write-rules.ts';
import type { Settings } from '../../repository/settings.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Base } from './base-commit.ts';
import type { ContextRepositories } from './context-repositories.ts';
import type { PushRules } from './evaluate-rules.ts';

export interface Checkout extends AsyncDisposable {
  repository: Repository;
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
  guidance: Guidance;
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
