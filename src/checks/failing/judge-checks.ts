import type { CheckRun, CommitStatus, WorkflowRun } from '../../github/calls/check-calls.ts';
import type { CheckState } from '../../store/tables/columns.ts';
import { bound } from '../../text/bound.ts';
import { storable } from '../../text/storable.ts';

/** What GitHub tells of one commit. */
export interface CommitChecks {
  runs: readonly CheckRun[];
  statuses: readonly CommitStatus[];
  /** Undefined: nobody asked for them. */
  workflows?: readonly WorkflowRun[] | undefined;
}

/** A check run or a status that fails. `key` is the same for the same check on another commit, except for its workflow. */
export type FailingCheck = { key: string; name: string; url: string | null; workflowId?: number | undefined } & (
  | { kind: 'run'; run: CheckRun }
  | { kind: 'status'; status: CommitStatus }
);

/** `pending`: some have not finished; `failing` has those that failed so far. */
export interface JudgedChecks {
  /** Null: there are none. */
  state: CheckState | null;
  isPending: boolean;
  /** The keys of those that have not finished. */
  pending: ReadonlySet<string>;
  failing: FailingCheck[];
  /** The commit, where a newer check of this name hides a failure: only its workflows tell whether it replaces that one. */
  unclearOn: string | undefined;
}

/** Cancelled, skipped and neutral runs found no fault, and a required action is a person's. */
const failures: readonly (string | null)[] = ['failure', 'timed_out', 'startup_failure'];

const fails = ({ isFinished, conclusion }: CheckRun): boolean => isFinished && failures.includes(conclusion);

/**
 * Of several runs of one check, the newest counts; each workflow of GitHub Actions has checks of its own, for each event. Our own never count.
 * Pure.
 */
export function judgeChecks({ runs, statuses, workflows }: CommitChecks, { appId }: { appId: number }): JudgedChecks {
  const bySuite = new Map(workflows?.map((each) => [each.suiteId, each]));
  const workflowOf = ({ suiteId }: CheckRun) => bySuite.get(suiteId);
  const others = runs.filter((run) => run.appId !== appId).toSorted(byAge);
  const toFullKey = (run: CheckRun) => [toKey(run), workflowOf(run)?.workflowId, workflowOf(run)?.event].join(' ');
  const newest = new Map(others.map((run) => [toFullKey(run), run]));
  const counted = [...newest.values()];
  const hidden = others.find((run) => {
    const newer = newest.get(toFullKey(run));
    return newer && run.appSlug === 'github-actions' && fails(run) && !fails(newer) && run.suiteId !== newer.suiteId;
  });
  const failedRuns = counted.filter(fails).map((run): FailingCheck => {
    const { url } = run;
    return { kind: 'run', key: toKey(run), name: toName(run.name), url, workflowId: workflowOf(run)?.workflowId, run };
  });
  const failedStatuses = statuses
    .filter(({ state }) => state === 'failure' || state === 'error')
    .map((status): FailingCheck => {
      const { context, url } = status;
      return { kind: 'status', key: `status ${context}`, name: toName(context), url, status };
    });
  const pending = new Set([
    ...counted.filter(({ isFinished }) => !isFinished).map(toKey),
    ...statuses.filter(({ state }) => state === 'pending').map(({ context }) => `status ${context}`),
  ]);
  const isPending = pending.size > 0;
  const failing = [...failedRuns, ...failedStatuses];
  const ended = failing.length > 0 ? 'failing' : isPending ? 'pending' : 'passing';
  return {
    state: counted.length + statuses.length === 0 ? null : ended,
    isPending,
    pending,
    failing,
    unclearOn: workflows ? undefined : hidden?.sha,
  };
}

/** Without those that fail on the base: they are not the change's. */
export const leaveOutOld = (head: JudgedChecks, base: JudgedChecks): FailingCheck[] =>
  head.failing.filter((check) => !base.failing.some((old) => isSame(check, old)));

const isSame = (one: FailingCheck, other: FailingCheck): boolean =>
  one.key === other.key &&
  (one.workflowId === undefined || other.workflowId === undefined || one.workflowId === other.workflowId);

const toName = (name: string) => storable(bound(name, 200));
const toKey = ({ appId, name }: CheckRun) => `run ${appId} ${name}`;

const byAge = (one: CheckRun, other: CheckRun): number =>
  (one.startedAt?.getTime() ?? 0) - (other.startedAt?.getTime() ?? 0) || one.checkRunId - other.checkRunId;
