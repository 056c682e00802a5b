import { sendDueAutomations } from '../automations/run-due.ts';
import { sendDueLooks } from '../checks/failing/look-at-checks.ts';
import { resendPullRequestChecks } from '../checks/pull-requests/check-pull-request.ts';
import type { Config } from '../config/config.ts';
import type { DeliveryParts } from '../deliveries/delivery-context.ts';
import { resendDeliveries } from '../deliveries/process-delivery.ts';
import { reconcile } from '../deliveries/reconcile/reconcile.ts';
import { redeliverMissed } from '../deliveries/reconcile/redeliver-missed.ts';
import { refreshSettings } from '../deliveries/reconcile/refresh-settings.ts';
import { resendAnswers } from '../effects/give-answer.ts';
import type { Mirrors } from '../git/mirrors/mirrors.ts';
import type { Log } from '../log.ts';
import type { TakeStep } from '../steps.ts';
import type { Schedule } from '../store/schedule/queue.ts';
import type { Store } from '../store/store.ts';
import { removeOld, sweeps } from '../store/tables/remove-old.ts';
import { isOverdue } from '../store/tables/repositories/watermarks.ts';
import type { Workspaces } from '../workspace/workspaces.ts';

const maintainEveryMs = 10 * 60_000;

const settingsAtStartAfterMs = 3600_000;

/** Each round at a start costs a token per installation or project. */
const reconcileAtStartAfterMs = 5 * 60_000;

interface PeriodicParts {
  store: Store;
  deliveryParts: DeliveryParts;
  mirrors: Mirrors;
  workspaces: Workspaces;
  retention: Config['retention'];
  takeStep: TakeStep;
  log: Log;
}

/** Done by one process at a time, however many run. */
interface SharedWork {
  name: Schedule;
  cron: string;
  /**
   * Whether a start does it, too: `always`, or unless it was done within this time. A process that restarts again and again must not use up
   * the App's rate limit: each round costs a token per installation or project.
   */
  atStart?: 'always' | { unlessWithinMs: number };
  work: (signal: AbortSignal) => Promise<void>;
}

const listSharedWork = ({ store, deliveryParts, retention, takeStep, log }: PeriodicParts): SharedWork[] => [
  {
    name: 'redeliver',
    cron: '*/10 * * * *',
    atStart: 'always',
    work: (signal) => redeliverMissed(deliveryParts, signal),
  },
  {
    name: 'reconcile',
    cron: '*/10 * * * *',
    atStart: { unlessWithinMs: reconcileAtStartAfterMs },
    work: (signal) => reconcile(deliveryParts, signal),
  },
  {
    name: 'refresh-settings',
    cron: '43 4 * * *',
    atStart: { unlessWithinMs: settingsAtStartAfterMs },
    work: (signal) => refreshSettings(deliveryParts, signal),
  },
  {
    name: 'automations',
    cron: '* * * * *',
    atStart: 'always',
    work: (signal) =>
      runAll([
        () => takeStep({ step: 'send due automations' }, () => sendDueAutomations(store, signal)),
        () => sendDueLooks(store, signal),
        () => resendPullRequestChecks(store, signal),
      ]),
  },
  {
    name: 'sweep',
    cron: '17 * * * *',
    work: (signal) =>
      runAll([
        ...sweeps.map((sweep) => async () => void (await sweep.execute(store.database))),
        () => resendDeliveries({ ...store, log }, signal),
        () => resendAnswers({ ...store, log }, signal),
        // Last, because it may use all the time there is.
        () => removeOld({ database: store.database, log }, retention, signal),
      ]),
  },
];

/** Starts the periodic work of this process. Disposing it ends the maintenance of files; the queue ends the rest. */
export async function startPeriodicWork(parts: PeriodicParts): Promise<Disposable> {
  const { store, mirrors, workspaces, log } = parts;
  const sharedWork = listSharedWork(parts);
  for (const { name, cron, work } of sharedWork) await store.queue.workSchedule(name, { cron, work });
  // Queued, not awaited: the service accepts webhooks even while GitHub is unreachable.
  for (const { name, atStart } of sharedWork)
    if (await isDueAtStart(store, { name, atStart })) await store.queue.triggerSchedule(name);

  const stopping = new AbortController();
  const maintain = () => runAll([workspaces.removeOrphans, () => mirrors.maintain(stopping.signal)]);
  const timer = setInterval(
    () => maintain().catch((error) => log.warn({ err: error }, 'could not maintain mirrors and workspaces')),
    maintainEveryMs,
  );
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      stopping.abort(new Error('the service is stopping'));
    },
  };
}

async function isDueAtStart(
  { database }: Store,
  { name, atStart }: { name: Schedule; atStart: SharedWork['atStart'] },
): Promise<boolean> {
  if (atStart === undefined) return false;
  return atStart === 'always' || isOverdue(database, name, { withinMs: atStart.unlessWithinMs });
}

/** Runs tasks one after another. A failed task does not stop the others; its error is thrown at the end. */
export async function runAll(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const task of tasks) await task().catch((error: unknown) => errors.push(error));
  if (errors.length > 1) throw new AggregateError(errors, 'several tasks failed');
  if (errors.length > 0) throw errors[0];
}
