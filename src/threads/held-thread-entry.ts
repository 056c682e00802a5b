// The first module of a thread that `startHeldThread` starts.
import { enableCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { HeldThreadData, HeldThreadMessage, HeldThreadReply } from './held-thread.ts';

const { module, name, cacheDirectory }: HeldThreadData = workerData;
if (cacheDirectory !== undefined) enableCompileCache(cacheDirectory);

const opened: Record<string, () => (request: unknown) => unknown> = await import(module);
const open = opened[name];
let answer = open?.();

parentPort?.on('message', (message: HeldThreadMessage) => parentPort?.postMessage(reply(message)));

function reply(message: HeldThreadMessage): HeldThreadReply {
  try {
    if (message.kind === 'empty') {
      answer = open?.();
      return { kind: 'answer', answer: undefined };
    }
    if (answer === undefined) throw new Error(`${module} exports no ${name}`);
    return { kind: 'answer', answer: answer(message.request) };
  } catch (error) {
    return { kind: 'thrown', error };
  }
}
