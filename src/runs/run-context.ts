import type { Model } from '../agent/model/model.ts';
import type { Config } from '../config/config.ts';
import type { ChangeReader } from '../context/changes/create-change-reader.ts';
import type { ReadImages } from '../context/images/create-image-reader.ts';
import { createRunEffects, type RunEffects } from '../effects/perform-effect.ts';
import type { Git, InRepository } from '../git/git.ts';
import type { Mirrors } from '../git/mirrors/mirrors.ts';
import type { GitHubApp } from '../github/auth/app.ts';
import type { RepositoryClient } from '../github/calls/repository-client.ts';
import type { BranchRule } from '../github/calls/rule-calls.ts';
import type { Log } from '../log.ts';
import type { ScanText } from '../secrets/scanner.ts';
import type { TakeStep } from '../steps.ts';
import type { Lease } from '../store/schedule/lease.ts';
import type { Store } from '../store/store.ts';
import { findJob, type Job } from '../store/tables/jobs/jobs.ts';
import type { Run } from '../store/tables/jobs/runs.ts';
import type { Redactor } from '../text/redact.ts';
import { type RunTask, runFor, type Threads } from '../threads/threads.ts';
import type { Timing } from '../timing.ts';
import type { Workspaces } from '../workspace/workspaces.ts';
import type { CheckReport } from './check-report.ts';
import type { Checkout } from './checkout.ts';
import { findFailedEnd } from './failures.ts';

export interface RunParts extends Store {
  threads: Threads;
  scanText: ScanText;
  github: GitHubApp;
  git: Git;
  mirrors: Mirrors;
  workspaces: Workspaces;
  /** `attempts`: requests per answer before the model server counts as down. */
  modelNamed: (name: string, options?: { attempts?: number }) => Model;
  models: readonly string[];
  /** The window of the models. */
  contextTokens: number;
  limits: Config['runLimits'];
  /** For people and git: https://github.com. */
  webUrl: string;
  readBranchRules: ReadBranchRules;
  changes: ChangeReader;
  /** null: the models see no images. */
  readImages: ReadImages | null;
  redactor: Redactor;
  timing: Timing;
  takeStep: TakeStep;
  onCheckReport: (checks: CheckReport) => void;
  log: Log;
}

export interface ReadBranchRules {
  /** `withBypassed` includes the rules that the App may bypass. */
  (
    client: RepositoryClient,
    branch: { repositoryId: number; branch: string; withBypassed?: boolean },
  ): Promise<BranchRule[]>;
  forget(repositoryId: number): void;
}

/** When each stage of a run must stop. A signal never aborts before the one above it. */
export interface LeaseSignals {
  /** Preparing and editing. Aborts with `StopRequested`, `HandedOver` or `LeaseLost`. */
  work: AbortSignal;
  /** An open model call, which is paid for. As `work`, but aborts later on a hand-over. */
  grace: AbortSignal;
  /** Publishing. Aborts with `LeaseLost` only, so that a hand-over leaves nothing half published. */
  publish: AbortSignal;
}

export interface RunSignals extends LeaseSignals {
  /** Everything, even waiting for the database. The process is about to exit. */
  gone: AbortSignal;
}

/** One attempt at a run. */
export interface RunContext {
  readonly parts: RunParts;
  readonly lease: Lease;
  readonly signals: RunSignals;
  readonly log: Log;
  readonly effects: RunEffects;
  /** Runs slow work in a thread, one task of this run at a time. */
  readonly runTask: RunTask;
  /** Runs a step of this run: see steps.ts. */
  readonly takeStep: <Result>(step: string, work: () => Promise<Result>) => Promise<Result>;
  /** As of the last `reload()`. */
  readonly job: Job;
  /** As of this attempt's last change to its phase or base. */
  run: Run;
  /** Reads the job again: people may change its pull request and base while the run works. */
  reload(): Promise<void>;
  /** The same attempt, with its files: both share `job` and `run`. */
  withCheckout(checkout: Checkout): CheckedOutRun;
}

export interface CheckedOutRun extends RunContext {
  readonly checkout: Checkout;
}

/** Where git finds the commits of a run. */
export const inMirror = (
  { parts: { git }, checkout: { mirror } }: CheckedOutRun,
  signal: AbortSignal,
): InRepository => ({
  git,
  gitDir: mirror.directory,
  signal,
});

export function createRunContext(
  parts: RunParts,
  { lease, signals, ...begun }: { lease: Lease; job: Job; run: Run; signals: RunSignals },
): RunContext {
  const { database, takeStep } = parts;
  let { job, run } = begun;
  const runId = run.run_id;
  const log = parts.log.child({ jobId: lease.jobId, runId, epoch: lease.epoch });
  const fixed = {
    parts,
    lease,
    signals,
    log,
    runTask: runFor(parts.threads, runId),
    takeStep: <Result>(step: string, work: () => Promise<Result>) => takeStep({ step, jobId: lease.jobId }, work),
    effects: createRunEffects({
      database,
      takeStep,
      log,
      lease,
      runId,
      signal: signals.publish,
      describeRefusal: (refusal) => findFailedEnd(refusal)?.sentence ?? refusal.message,
    }),
    async reload() {
      const found = await findJob(database, lease);
      if (!found) throw new Error(`there is no job ${lease.jobId}`);
      job = found;
    },
    withCheckout: (checkout: Checkout) => share({ checkout }),
  };

  function share<More extends object>(more: More): RunContext & More {
    return {
      ...fixed,
      ...more,
      get job() {
        return job;
      },
      get run() {
        return run;
      },
      set run(changed) {
        run = changed;
      },
    };
  }
  return share({});
}
