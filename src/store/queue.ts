import type { Kysely } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Log } from '../log.ts';
import { type Connection, patience } from './database.ts';
import type { Tables } from './schema.ts';

/** Periodic work, with the cron line that starts it. Each is short and safe to repeat. */
const schedules = { reconcile: '*/10 * * * *', sweep: '17 * * * *' } as const;
export type Schedule = keyof typeof schedules;

/** What pg-boss carries for us: everything in it is short and may come twice; the truth is in our own tables. */
export interface Queue {
  start(): Promise<void>;
  /** Says "look" to some worker, when the transaction commits. */
  sendWakeUp(tx: Kysely<Tables>): Promise<void>;
  /** Puts a stored delivery up for processing, when the transaction commits. */
  sendDelivery(tx: Kysely<Tables>, deliveryId: string): Promise<void>;
  workWakeUps(look: () => void): Promise<void>;
  /** A handler that throws gets the delivery again, with back-off, until the retries end; then it stays in the dead letters. */
  workDeliveries(process: (deliveryId: string) => Promise<void>): Promise<void>;
  workSchedule(name: Schedule, handler: () => Promise<void>): Promise<void>;
  /** Has scheduled work done now, by one process however many ask. */
  triggerSchedule(name: Schedule): Promise<void>;
  stop(): Promise<void>;
}

/**
 * With LISTEN/NOTIFY a pick-up takes milliseconds. Both poll intervals are short all the same: after each fetch a pg-boss
 * worker sleeps a whole interval whatever was notified meanwhile, and the default one is 30 s.
 */
const prompt = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 1, localConcurrency: 1 };
const batch = { batchSize: 100, burstWhenBatchFull: true };

export function createQueue({ connection, log }: { connection: Connection; log: Log }): Queue {
  const boss = new PgBoss({ ...connection, ...patience, max: 4, useListenNotify: true });
  boss.on('error', (error) => log.warn({ err: error }, 'the queue met an error'));
  boss.on('warning', (warning) => log.debug({ warning }, 'the queue warns'));
  return {
    async start() {
      await boss.start();
      await boss.createQueue('delivery-dead');
      // Nobody waits for an old wake-up: the timer of the worker finds what it was about.
      await boss.createQueue('wake-up', {
        notify: true,
        retryLimit: 0,
        retentionSeconds: 3600,
        deleteAfterSeconds: 60,
      });
      const retries = { retryLimit: 12, retryDelay: 2, retryBackoff: true, retryDelayMax: 600 };
      await boss.createQueue('delivery', {
        notify: true,
        ...retries,
        expireInSeconds: 60,
        deadLetter: 'delivery-dead',
      });
      for (const name of Object.keys(schedules)) await boss.createQueue(name, { policy: 'stately', retryLimit: 3 });
    },
    async sendWakeUp(tx) {
      await boss.send('wake-up', {}, { db: fromKysely(tx) });
    },
    async sendDelivery(tx, deliveryId) {
      await boss.send('delivery', { deliveryId }, { db: fromKysely(tx) });
    },
    async workWakeUps(look) {
      await boss.work('wake-up', { ...prompt, ...batch }, async () => look());
    },
    async workDeliveries(process) {
      // A slow one, which waits for GitHub, must not hold up the others.
      const options = { ...prompt, batchSize: 5, burstWhenBatchFull: true, localConcurrency: 4 };
      await boss.work<{ deliveryId: string }>('delivery', { ...options, perJobResults: true }, async (jobs) =>
        Promise.all(
          jobs.map(async ({ id, data }) => {
            try {
              await process(data.deliveryId);
              return { id, status: 'completed' as const };
            } catch (error) {
              log.warn({ err: error, deliveryId: data.deliveryId }, 'a delivery could not be processed yet');
              return { id, status: 'failed' as const, output: { message: String(error) } };
            }
          }),
        ),
      );
    },
    async workSchedule(name, handler) {
      await boss.work(name, { pollingIntervalSeconds: 2 }, async () => {
        try {
          await handler();
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
    stop: () => boss.stop({ graceful: true, timeout: 5_000 }),
  };
}
