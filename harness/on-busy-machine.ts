import { availableParallelism, loadavg } from 'node:os';

/** A limit in milliseconds for a machine without other work, lengthened by the work that waits for the cores of this one. */
export const onBusyMachine = (limitMs: number): number =>
  limitMs * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
