// The first module of a thread that `startStatefulThread` starts.
import { enableCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { StatefulThreadData, StatefulThreadMessage, StatefulThreadReply } from './stateful-thread.ts';

const { module, name, cacheDirectory }: StatefulThreadData = workerData;
if (cacheDirectory !== undefined) enableCompileCache(cacheDirectory);

const opened: Record<string, () => (request: unknown) => unknown> = await import(module);
const open = opened[name];
let answer = open?.();

parentPort?.on('message', async (message: StatefulThreadMessage) => parentPort?.postMessage(await reply(message)));

async function reply(message: StatefulThreadMessage): Promise<StatefulThreadReply> {
  try {
    if (message.kind === 'empty') {
      answer = open?.();
      return { kind: 'answer', answer: undefined };
    }
    if (answer === undefined) throw new Error(`${module} exports no ${name}`);
    return { kind: 'answer', answer: await answer(message.request) };
  } catch (error) {
    return { kind: 'thrown', error };
  }
}
