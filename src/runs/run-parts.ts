import type { Model } from '../agent/model/model.ts';
import type { Config } from '../config/config.ts';
import type { Git } from '../git/git.ts';
import type { Mirrors } from '../git/mirrors/mirrors.ts';
import type { GitHubApp } from '../github/auth/app.ts';
import type { Log } from '../log.ts';
import type { TakeStep } from '../steps.ts';
import type { Lease } from '../store/schedule/lease.ts';
import type { Store } from '../store/store.ts';
import type { Job } from '../store/tables/jobs.ts';
import type { Run } from '../store/tables/runs.ts';
import type { Redactor } from '../text/redact.ts';
import type { Workspaces } from '../workspace/workspaces.ts';
import type { ReadBranchRules } from './prepare/branch-rules.ts';

/** What a run works with; built once, by the service. */
export interface RunParts extends Store {
  github: GitHubApp;
  git: Git;
  mirrors: Mirrors;
  workspaces: Workspaces;
  /** The model server under the name that the job asked for; `attempts` is how often it is asked before it counts as down. */
  modelNamed: (name: string, options?: { attempts?: number }) => Model;
  /** What it offers. */
  models: readonly string[];
  limits: Config['runLimits'];
  /** Where repositories are cloned from and people look at them: https://github.com. */
  webUrl: string;
  readBranchRules: ReadBranchRules;
  redactor: Redactor;
  takeStep: TakeStep;
  log: Log;
}

/** A run in the hands of this worker, and the job it is a run of, as they were when they were last read. */
export interface HeldRun {
  lease: Lease;
  job: Job;
  run: Run;
}
