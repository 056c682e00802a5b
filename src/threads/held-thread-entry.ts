// The first module of a thread that `startHeldThread` starts.
import { parentPort, workerData } from 'node:worker_threads';
import type { HeldThreadModule, HeldThreadReply } from './held-thread.ts';

const { module, name }: HeldThreadModule = workerData;
const opened: Record<string, () => (request: unknown) => unknown> = await import(module);
const answer = opened[name]?.();

parentPort?.on('message', (request: unknown) => parentPort?.postMessage(reply(request)));

function reply(request: unknown): HeldThreadReply {
  try {
    if (answer === undefined) throw new Error(`${module} exports no ${name}`);
    return { kind: 'answer', answer: answer(request) };
  } catch (error) {
    return { kind: 'thrown', error };
  }
}
