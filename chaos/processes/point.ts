import { z } from 'zod';

/** Where a process can be stopped: right before or right after the n-th time that a job's run takes a step, such as `before push 1`. */
export type Point = string;

/** What a service under trial is told. */
export const orderSchema = z.union([
  /** From now on: count steps anew, and wait at these points until released. */
  z.object({ hold: z.array(z.object({ jobId: z.string(), point: z.string() })) }),
  /** Claims may be made, or wait. */
  z.object({ claims: z.enum(['open', 'closed']) }),
  z.object({ release: z.literal(true) }),
]);
export type Order = z.infer<typeof orderSchema>;

/** What it tells: a point that a run came to, and whether it waits there. */
export const reportSchema = z.object({ jobId: z.string(), point: z.string(), isHeld: z.boolean() });
export type Report = z.infer<typeof reportSchema>;

/** What it says when it has started. */
export const startedSchema = z.object({ url: z.string() });
