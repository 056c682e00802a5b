import { availableParallelism, loadavg } from 'node:os';

/** A limit in milliseconds that holds on a machine without other work, made longer by the work that waits for this one's cores. */
export const onBusyMachine = (limitMs: number): number =>
  limitMs * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
