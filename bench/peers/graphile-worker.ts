import { setTimeout as delay } from 'node:timers/promises';
import { createPool, type Engine, type EngineParts, loadPackage, slots } from './engine.ts';

interface GraphileWorker {
  Logger: new (create: () => () => void) => object;
  run(options: object): Promise<object>;
  makeWorkerUtils(options: object): Promise<{ migrate(): Promise<void>; addJob(name: string): Promise<object> }>;
}

/** As it is by default. */
export function createGraphileWorker(parts: EngineParts): Engine {
  const { Logger, run, makeWorkerUtils } = loadPackage<GraphileWorker>(parts, 'graphile-worker');
  const shared = { pgPool: createPool(parts), logger: new Logger(() => () => {}) };
  return {
    async work({ started, ended, runMs }) {
      const task = async () => {
        started();
        await delay(runMs);
        ended();
      };
      await run({ ...shared, concurrency: slots, noHandleSignals: true, taskList: { task } });
    },
    async openAdder() {
      const utils = await makeWorkerUtils(shared);
      await utils.migrate();
      return async () => void (await utils.addJob('task'));
    },
  };
}
