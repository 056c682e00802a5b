import {
  type Queue as BossQueue,
  fromKysely,
  type JobResult,
  type JobWithMetadata,
  PgBoss,
  type QueuePolicy,
} from 'pg-boss';
import type { Log } from '../../log.ts';
import { realTiming, type Timing } from '../../timing.ts';
import { type Connection, connectionOptions, type Database } from '../postgres/database.ts';
import type { AutomationKey } from '../tables/automations/occasions.ts';
import type { EffectKey } from '../tables/jobs/effects.ts';
import type { PullRequestHead } from '../tables/repositories/pull-request-checks.ts';
import { wakeWorkers } from './workers.ts';

/** Periodic work of all processes; each schedule is a queue. */
const schedules = ['redeliver', 'reconcile', 'refresh-settings', 'automations', 'sweep'] as const;
export type Schedule = (typeof schedules)[number];

interface Entries {
  delivery: { deliveryId: string };
  answer: EffectKey;
  automation: AutomationKey;
  /** At the checks of a job's head. */
  look: { jobId: string };
  /** Two at once, so that one fetch of a large repository does not hold up all: many pull requests hold up nothing else. */
  check: PullRequestHead;
  /** Deliveries of webhooks wait. */
  webhook: object;
}

interface EntryWork<Entry> {
  process: (entry: Entry, signal: AbortSignal) => Promise<Date | undefined>;
  /** Absent: the sweep sends it again. */
  giveUp?: (entry: Entry) => Promise<void>;
}

/** Entries may arrive twice; our own tables hold the truth. An entry is sent when its transaction commits. */
export interface Queue {
  /** The schema of pg-boss's tables. */
  schema: string;
  start(): Promise<void>;
  /** Wakes all workers when the transaction commits. */
  sendWakeUp(tx: Database): Promise<void>;
  /** `delayMs`: it is worked on so much later. */
  send<Name extends keyof Entries>(
    tx: Database,
    name: Name,
    entry: Entries[Name],
    options?: { delayMs?: number },
  ): Promise<void>;
  workWebhookWakeUps(onWakeUp: () => void): Promise<void>;
  /** Retries with back-off if `process` throws, then calls `giveUp`. A returned date repeats the call then, without limit. */
  work<Name extends Exclude<keyof Entries, 'webhook'>>(name: Name, work: EntryWork<Entries[Name]>): Promise<void>;
  workSchedule(name: Schedule, options: { cron: string; work: (signal: AbortSignal) => Promise<void> }): Promise<void>;
  /** Only one process does it. */
  triggerSchedule(name: Schedule): Promise<void>;
  /** Sending still works. Waits up to 5 s for entries in progress. Idempotent. */
  stopWorking(): Promise<void>;
  stop(): Promise<void>;
}

/** About an hour of retries. */
const entryRetries = { retryLimit: 12, retryDelay: 2, retryBackoff: true, retryDelayMax: 600 };
const scheduleRetries = { retryLimit: 2, retryDelay: 60, retryBackoff: true };
/** Together with the heartbeat: how soon an entry of a dead process is retried. pg-boss's default is a minute. */
const supervision = { superviseIntervalSeconds: 5, monitorIntervalSeconds: 5 };
/** pg-boss deletes old entries this often. Its default, once a day, keeps a day of wake-ups. */
const maintenance = { maintenanceIntervalSeconds: 600 };
/** A stop waits for running statements and must end within 30 s. */
const statementTimeouts = { statement_timeout: 10_000, query_timeout: 12_000 };
const batch = { batchSize: 100, burstWhenBatchFull: true };

/** `retentionDays` does not apply to wake-ups of webhooks, and must be the same in all processes. */
export function createQueue(parts: {
  connection: Connection;
  schema?: string;
  log: Log;
  retentionDays?: number;
  timing?: Timing;
}): Queue {
  const { connection, schema = 'pgboss', log, retentionDays = 1, timing = realTiming } = parts;
  const pollSeconds = timing.queue.pollEveryMs / 1000;
  const pollOptions = {
    pollingIntervalSeconds: pollSeconds,
    notifyPollingIntervalSeconds: pollSeconds,
    localConcurrency: 1,
  };
  const keptSeconds = retentionDays * 24 * 3600;
  const boss = new PgBoss({
    ...connection,
    ...connectionOptions,
    ...statementTimeouts,
    ...supervision,
    ...maintenance,
    schema,
    max: 4,
    useListenNotify: true,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'queue error'));
  boss.on('warning', (warning) => log.debug({ warning }, 'queue warning'));

  const timeoutOf = (name: keyof Entries) =>
    name === 'check' ? timing.checks.entryTimeoutMs : timing.queue.entryTimeoutMs;

  async function workEntries<Name extends keyof Entries>(
    name: Name,
    { process, giveUp = async () => {} }: EntryWork<Entries[Name]>,
  ): Promise<void> {
    // An entry that waits for GitHub must not hold up the others.
    const several = name === 'check' ? { batchSize: 1, localConcurrency: 2 } : { batchSize: 5, localConcurrency: 4 };
    const options = { ...pollOptions, burstWhenBatchFull: true, ...several };
    const workOn = async ({ id, data, retryCount, signal }: JobWithMetadata<Entries[Name]>): Promise<JobResult> => {
      try {
        const again = await process(data, withTimeout(signal, timeoutOf(name)));
        // The queue uses the database's clock.
        if (again) await boss.send(name, data, { startAfter: (again.getTime() - Date.now()) / 1000 });
        return { id, status: 'completed' };
      } catch (error) {
        // What a stopping process leaves is no failure of the entry: the sweep queues it again.
        const isLast = retryCount >= entryRetries.retryLimit && !signal.aborted;
        if (!isLast) log.warn({ err: error, name, entry: data }, 'could not process a queue entry; it will be retried');
        else {
          log.error({ err: error, name, entry: data }, 'gave up on a queue entry');
          // The sweep finds it: its result must not fail the rest of the batch.
          await giveUp(data).catch((failure: unknown) =>
            log.error({ err: failure, name, entry: data }, 'could not store that a queue entry was given up'),
          );
        }
        return { id, status: 'failed', output: { message: String(error) } };
      }
    };
    const withResults = { ...options, perJobResults: true, includeMetadata: true } as const;
    await boss.work(name, withResults, (jobs: JobWithMetadata<Entries[Name]>[]) => Promise.all(jobs.map(workOn)));
  }

  /** The policy of an existing queue cannot change. */
  async function upsertQueue(
    name: string,
    options: Omit<BossQueue, 'name' | 'policy' | 'partition'>,
    { policy = 'standard' }: { policy?: QueuePolicy } = {},
  ): Promise<void> {
    await boss.createQueue(name, { ...options, policy });
    await boss.updateQueue(name, options);
  }

  let stopping: Promise<void> | undefined;
  function stopWorking(): Promise<void> {
    stopping ??= boss.stop({ close: false, timeout: timing.shutdown.queueDrainMs });
    return stopping;
  }

  return {
    schema,
    async start() {
      await boss.start();
      // Old wake-ups are useless: the dispatcher's timer finds the same deliveries.
      const wakeUps = { notify: true, retryLimit: 0, retentionSeconds: 3600, deleteAfterSeconds: 60 };
      await upsertQueue('webhook', wakeUps);
      const entries = { notify: true, ...entryRetries, heartbeatSeconds: 10, deleteAfterSeconds: keptSeconds };
      for (const name of ['delivery', 'answer', 'automation', 'look', 'check'] as const)
        await upsertQueue(name, { ...entries, expireInSeconds: timeoutOf(name) / 1000 + 15 });
      // Without a heartbeat, a process that dies during the work blocks it for 15 minutes.
      const periodic = { ...scheduleRetries, heartbeatSeconds: 60, deleteAfterSeconds: keptSeconds };
      for (const name of schedules) await upsertQueue(name, periodic, { policy: 'stately' });
      // pg-boss sends scheduled entries through this queue.
      await boss.updateQueue('__pgboss__send-it', { deleteAfterSeconds: keptSeconds });
    },
    async sendWakeUp(tx) {
      await wakeWorkers(tx);
    },
    async send(tx, name, entry, { delayMs = 0 } = {}) {
      await boss.send(name, entry, { db: fromKysely(tx), startAfter: delayMs / 1000 });
    },
    async workWebhookWakeUps(onWakeUp) {
      await boss.work('webhook', { ...pollOptions, ...batch }, async () => onWakeUp());
    },
    work: workEntries,
    async workSchedule(name, { cron, work }) {
      await boss.work(name, { pollingIntervalSeconds: timing.queue.schedulePollEveryMs / 1000 }, async ([job]) => {
        try {
          await work(withTimeout(job?.signal, timing.queue.scheduledTimeoutMs));
        } catch (error) {
          // pg-boss only stores the error in its table.
          log.warn({ err: error, name }, 'scheduled work failed');
          throw error;
        }
      });
      await boss.schedule(name, cron);
    },
    async triggerSchedule(name) {
      await boss.send(name, {});
    },
    stopWorking,
    async stop() {
      await stopWorking();
      await boss.stop();
    },
  };
}

/** `signal` is pg-boss's: it aborts when a stop no longer waits, or when another process has taken the entry. */
const withTimeout = (signal: AbortSignal | undefined, timeoutMs: number): AbortSignal =>
  AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]);
