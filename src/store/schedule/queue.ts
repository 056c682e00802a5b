import type { Kysely } from 'kysely';
import {
  type Queue as BossQueue,
  fromKysely,
  type JobResult,
  type JobWithMetadata,
  PgBoss,
  type QueuePolicy,
} from 'pg-boss';
import type { Log } from '../../log.ts';
import { type Connection, patience } from '../postgres/database.ts';
import type { Tables } from '../tables/schema.ts';

/** Periodic work, with the cron line that starts it. Each is short and safe to repeat. */
const schedules = {
  redeliver: '*/10 * * * *',
  reconcile: '*/10 * * * *',
  'refresh-settings': '43 4 * * *',
  sweep: '17 * * * *',
} as const;
export type Schedule = keyof typeof schedules;

/** Names an effect that waits to be carried out: its row says what it is. */
export interface AnswerEntry {
  jobId: string;
  key: string;
}

export interface EntryWork<Entry> {
  process: (entry: Entry, signal: AbortSignal) => Promise<Date | undefined>;
  giveUp: (entry: Entry) => Promise<void>;
}

/** What pg-boss carries for us: everything in it is short and may come twice; the truth is in our own tables. */
export interface Queue {
  start(): Promise<void>;
  /** Says "look" to some worker, when the transaction commits. */
  sendWakeUp(tx: Kysely<Tables>): Promise<void>;
  /** Puts a stored delivery up for processing, when the transaction commits; not before `delayMs` have passed. */
  sendDelivery(tx: Kysely<Tables>, deliveryId: string, options?: { delayMs?: number }): Promise<void>;
  /** Puts an answer up for sending, when the transaction commits; not before `delayMs` have passed. */
  sendAnswer(tx: Kysely<Tables>, answer: AnswerEntry, options?: { delayMs?: number }): Promise<void>;
  workWakeUps(look: () => void): Promise<void>;
  /**
   * A handler that throws gets the delivery again, with back-off, until the retries end; then `giveUp` is called with it. One that
   * returns a moment gets it again then, however often.
   */
  workDeliveries(work: EntryWork<string>): Promise<void>;
  /** The same for answers. */
  workAnswers(work: EntryWork<AnswerEntry>): Promise<void>;
  workSchedule(name: Schedule, handler: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** Has scheduled work done now, by one process however many ask. */
  triggerSchedule(name: Schedule): Promise<void>;
  /** Takes nothing out of it any more; what is put in is for others. What is being worked on gets 5 s. Asking again changes nothing. */
  stopWorking(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * With LISTEN/NOTIFY a pick-up takes milliseconds. Both poll intervals are short all the same: after each fetch a pg-boss
 * worker sleeps a whole interval whatever was notified meanwhile, and the default one is 30 s.
 */
const prompt = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 1, localConcurrency: 1 };
/** Who takes longer for one entry is stopped, before pg-boss would give the entry to somebody else. */
const entryTimeoutMs = 45_000;
/** Well below the 15 minutes after which pg-boss would start it a second time. */
const scheduledTimeoutMs = 10 * 60_000;
/** The better part of an hour of trying. */
const retries = { retryLimit: 12, retryDelay: 2, retryBackoff: true, retryDelayMax: 600 };
/** The next round is not far; what keeps failing must not be done over and over until then. */
const periodicRetries = { retryLimit: 2, retryDelay: 60, retryBackoff: true };
/** What a process that died was at is somebody else's after the heartbeat and one of these, not after the minute that is the default. */
const watchful = { superviseIntervalSeconds: 5, monitorIntervalSeconds: 5 };
/** How often pg-boss removes what is to be kept no longer: once a day by itself, which leaves a day's wake-ups lying about. */
const tidy = { maintenanceIntervalSeconds: 600 };
/** A stop waits for what the queue is asking, and has 30 s in all. */
const queuePatience = { statement_timeout: 10_000, query_timeout: 12_000 };
const batch = { batchSize: 100, burstWhenBatchFull: true };

/** `retentionDays`: for how long an entry that has ended is kept, but for wake-ups. All processes must be told the same. */
export function createQueue({
  connection,
  log,
  retentionDays = 1,
}: {
  connection: Connection;
  log: Log;
  retentionDays?: number;
}): Queue {
  const keptSeconds = retentionDays * 24 * 3600;
  const boss = new PgBoss({
    ...connection,
    ...patience,
    ...queuePatience,
    ...watchful,
    ...tidy,
    max: 4,
    useListenNotify: true,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'the queue met an error'));
  boss.on('warning', (warning) => log.debug({ warning }, 'the queue warns'));

  async function workEntries<Entry extends object>(name: string, { process, giveUp }: EntryWork<Entry>): Promise<void> {
    // A slow one, which waits for GitHub, must not hold up the others.
    const options = { ...prompt, batchSize: 5, burstWhenBatchFull: true, localConcurrency: 4 };
    const workOn = async ({ id, data, retryCount }: JobWithMetadata<Entry>): Promise<JobResult> => {
      try {
        const again = await process(data, AbortSignal.timeout(entryTimeoutMs));
        // The queue goes by the database's clock.
        if (again) await boss.send(name, data, { startAfter: (again.getTime() - Date.now()) / 1000 });
        return { id, status: 'completed' };
      } catch (error) {
        const isLast = retryCount >= retries.retryLimit;
        if (!isLast) log.warn({ err: error, name, entry: data }, 'a queued entry could not be worked on yet');
        else {
          log.error({ err: error, name, entry: data }, 'a queued entry was given up');
          await giveUp(data);
        }
        return { id, status: 'failed', output: { message: String(error) } };
      }
    };
    const withResults = { ...options, perJobResults: true, includeMetadata: true } as const;
    await boss.work(name, withResults, (jobs: JobWithMetadata<Entry>[]) => Promise.all(jobs.map(workOn)));
  }

  /** Also a queue that a version before made gets its options; its policy it has for good. */
  async function putQueue(
    name: string,
    options: Omit<BossQueue, 'name' | 'policy' | 'partition'>,
    { policy = 'standard' }: { policy?: QueuePolicy } = {},
  ): Promise<void> {
    await boss.createQueue(name, { ...options, policy });
    await boss.updateQueue(name, options);
  }

  let stopping: Promise<void> | undefined;
  function stopWorking(): Promise<void> {
    stopping ??= boss.stop({ close: false, timeout: 5_000 });
    return stopping;
  }

  return {
    async start() {
      await boss.start();
      // Nobody waits for an old wake-up: the timer of the worker finds what it was about.
      await putQueue('wake-up', { notify: true, retryLimit: 0, retentionSeconds: 3600, deleteAfterSeconds: 60 });
      const expireInSeconds = entryTimeoutMs / 1000 + 15;
      const ofEntries = { notify: true, ...retries, expireInSeconds, heartbeatSeconds: 10 };
      for (const name of ['delivery', 'answer'])
        await putQueue(name, { ...ofEntries, deleteAfterSeconds: keptSeconds });
      // With a heartbeat, a process that dies in the middle of it does not keep all others from it for a quarter of an hour.
      const periodic = { ...periodicRetries, heartbeatSeconds: 60, deleteAfterSeconds: keptSeconds };
      for (const name of Object.keys(schedules)) await putQueue(name, periodic, { policy: 'stately' });
      // pg-boss's own, which its schedules go through.
      await boss.updateQueue('__pgboss__send-it', { deleteAfterSeconds: keptSeconds });
    },
    async sendWakeUp(tx) {
      await boss.send('wake-up', {}, { db: fromKysely(tx) });
    },
    async sendDelivery(tx, deliveryId, { delayMs = 0 } = {}) {
      await boss.send('delivery', { deliveryId }, { db: fromKysely(tx), startAfter: delayMs / 1000 });
    },
    async sendAnswer(tx, answer, { delayMs = 0 } = {}) {
      await boss.send('answer', answer, { db: fromKysely(tx), startAfter: delayMs / 1000 });
    },
    async workWakeUps(look) {
      await boss.work('wake-up', { ...prompt, ...batch }, async () => look());
    },
    workDeliveries: ({ process, giveUp }) =>
      workEntries<{ deliveryId: string }>('delivery', {
        process: ({ deliveryId }, signal) => process(deliveryId, signal),
        giveUp: ({ deliveryId }) => giveUp(deliveryId),
      }),
    workAnswers: (work) => workEntries<AnswerEntry>('answer', work),
    async workSchedule(name, handler) {
      await boss.work(name, { pollingIntervalSeconds: 2 }, async ([job]) => {
        try {
          await handler(AbortSignal.any([AbortSignal.timeout(scheduledTimeoutMs), ...(job ? [job.signal] : [])]));
        } catch (error) {
          // pg-boss only stores it, where nobody looks.
          log.warn({ err: error, name }, 'scheduled work failed');
          throw error;
        }
      });
      await boss.schedule(name, schedules[name]);
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
