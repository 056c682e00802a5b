import { threadId } from 'node:worker_threads';

/** The module of sessions.test.ts: a thread imports this file. */
export function openCounter() {
  let count = 0;
  const kept: number[][] = [];
  return (request: number | 'never' | 'fill' | 'throw' | 'which thread' | 'wait'): number => {
    if (request === 'which thread') return threadId;
    if (request === 'throw') throw new TypeError('no');
    if (request === 'wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    while (request === 'never');
    while (request === 'fill') kept.push(Array.from({ length: 10_000 }, (_, index) => index + 0.5));
    count += typeof request === 'number' ? request : 0;
    return count;
  };
}
