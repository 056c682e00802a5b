import type { CheckRun, CommitStatus } from '../../github/calls/check-calls.ts';

/** What GitHub tells of one commit. */
export interface CommitChecks {
  runs: readonly CheckRun[];
  statuses: readonly CommitStatus[];
}

/** A check run or a status that fails. `key` is the same for the same check on another commit. */
export type FailingCheck = { key: string; name: string; url: string | null } & (
  | { kind: 'run'; run: CheckRun }
  | { kind: 'status'; status: CommitStatus }
);

/** `pending`: some have not finished; `failing` has those that failed so far. */
export interface JudgedChecks {
  /** Null: there are none. */
  state: 'pending' | 'failing' | 'passing' | null;
  isPending: boolean;
  failing: FailingCheck[];
}

/** Cancelled, skipped and neutral runs found no fault, and a required action is a person's. */
const failures: readonly (string | null)[] = ['failure', 'timed_out', 'startup_failure'];

/** Of several runs of one check, the newest counts. Our own never count. Pure. */
export function judgeChecks({ runs, statuses }: CommitChecks, { appId }: { appId: number }): JudgedChecks {
  const newest = new Map<string, CheckRun>();
  for (const run of runs.toSorted(byAge)) if (run.appId !== appId) newest.set(toKey(run), run);
  const counted = [...newest.values()];
  const failedRuns = counted
    .filter(({ isFinished, conclusion }) => isFinished && failures.includes(conclusion))
    .map((run): FailingCheck => ({ kind: 'run', key: toKey(run), name: run.name, url: run.url, run }));
  const failedStatuses = statuses
    .filter(({ state }) => state === 'failure' || state === 'error')
    .map((status): FailingCheck => {
      const { context, url } = status;
      return { kind: 'status', key: `status ${context}`, name: context, url, status };
    });
  const isPending = counted.some(({ isFinished }) => !isFinished) || statuses.some(({ state }) => state === 'pending');
  const failing = [...failedRuns, ...failedStatuses];
  const ended = failing.length > 0 ? 'failing' : isPending ? 'pending' : 'passing';
  return { state: counted.length + statuses.length === 0 ? null : ended, isPending, failing };
}

/** Without those that fail on the base: they are not the change's. */
export const leaveOutOld = (head: JudgedChecks, base: JudgedChecks): FailingCheck[] =>
  head.failing.filter(({ key }) => !base.failing.some((old) => old.key === key));

const toKey = ({ appId, name }: CheckRun) => `run ${appId} ${name}`;

const byAge = (one: CheckRun, other: CheckRun): number =>
  (one.startedAt?.getTime() ?? 0) - (other.startedAt?.getTime() ?? 0) || one.checkRunId - other.checkRunId;
