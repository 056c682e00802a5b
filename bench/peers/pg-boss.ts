import { setTimeout as delay } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import { type Engine, type EngineParts, slots } from './engine.ts';

const name = 'tasks';

/** Its fastest settings: LISTEN, and the shortest time after which it notices a dead process. */
export function createPgBoss({ connection }: EngineParts): Engine {
  const supervision = { superviseIntervalSeconds: 5, monitorIntervalSeconds: 5 };
  const open = async () => {
    const boss = new PgBoss({ ...connection, ...supervision, max: 10, useListenNotify: true });
    boss.on('error', () => {});
    await boss.start();
    await boss.createQueue(name, { notify: true, heartbeatSeconds: 10 });
    return boss;
  };
  return {
    async work({ started, ended, runMs }) {
      const boss = await open();
      await boss.work(
        name,
        {
          localConcurrency: slots,
          burstWhenBatchFull: true,
          pollingIntervalSeconds: 1,
          notifyPollingIntervalSeconds: 1,
        },
        async () => {
          started();
          await delay(runMs);
          ended();
        },
      );
    },
    async openAdder() {
      const boss = await open();
      return async () => void (await boss.send(name, {}));
    },
  };
}
