import { z } from 'zod';

/** Where a trial can stop a process: right before or after the n-th time that a job's run takes a step, such as `before push 1`. */
export type Point = string;

/** Commands to a service under trial. */
export const orderSchema = z.union([
  /** Counts steps from zero, and waits at these points until released. */
  z.object({ hold: z.array(z.object({ jobId: z.string(), point: z.string() })) }),
  z.object({ claims: z.enum(['open', 'closed']) }),
  z.object({ release: z.literal(true) }),
]);
export type Order = z.infer<typeof orderSchema>;

/** A point that a run reached, and whether it waits there. */
export const reportSchema = z.object({ jobId: z.string(), point: z.string(), isHeld: z.boolean() });
export type Report = z.infer<typeof reportSchema>;

/** Claims are closed, and none is under way. */
export const closedSchema = z.object({ claims: z.literal('closed') });
export type Closed = z.infer<typeof closedSchema>;

export const startedSchema = z.object({ url: z.string() });
