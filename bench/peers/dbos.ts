import { setTimeout as delay } from 'node:timers/promises';
import { createPool, type Engine, type EngineParts, loadPackage, slots } from './engine.ts';

interface Dbos {
  DBOS: {
    setConfig(config: object): void;
    registerWorkflow(work: () => Promise<void>, options: { name: string }): () => Promise<void>;
    registerQueue(name: string, options: object): Promise<object>;
    launch(): Promise<void>;
  };
}

const workflowName = 'task';
const queueName = 'tasks';

/** A workflow on a queue. `minPollingIntervalMs`: null is its default, a second. */
export function createDbos(
  parts: EngineParts,
  { minPollingIntervalMs }: { minPollingIntervalMs: number | null },
): Engine {
  const { DBOS } = loadPackage<Dbos>(parts, '@dbos-inc/dbos-sdk');
  const { connection } = parts;
  const shared = { systemDatabasePool: createPool(parts), systemDatabaseUrl: toUrl(connection), logLevel: 'error' };
  const polling = minPollingIntervalMs === null ? {} : { minPollingIntervalMs };
  return {
    async work({ started, ended, runMs }) {
      DBOS.setConfig({ name: 'bench', applicationVersion: '1', ...shared });
      DBOS.registerWorkflow(
        async () => {
          started();
          await delay(runMs);
          ended();
        },
        { name: workflowName },
      );
      await DBOS.launch();
      await DBOS.registerQueue(queueName, { workerConcurrency: slots, ...polling });
    },
    async openAdder() {
      const { DBOSClient } = loadPackage<{
        DBOSClient: { create(options: object): Promise<{ enqueue(options: object): Promise<object> }> };
      }>(parts, '@dbos-inc/dbos-sdk');
      const client = await DBOSClient.create({ ...shared, applicationName: 'bench' });
      return async () => void (await client.enqueue({ workflowName, queueName, appVersion: '1' }));
    },
  };
}

function toUrl({ host, port, user, database }: EngineParts['connection']): string {
  return `postgresql://${user}@${encodeURIComponent(host)}:${port}/${database}`;
}
