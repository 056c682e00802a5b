import { z } from 'zod';

/**
 * A number of tokens as a server reports it. Whoever counts by it, the limit of a run, the database and the metrics, has no use for less
 * than none of them, or for half of one: usage like that is as good as none, and estimated.
 */
export const tokenCount = z.int().nonnegative();

/** Of what was sent, which is never nothing: a server that says so does not count, and a limit on tokens would never be reached. */
export const inputTokenCount = z.int().positive();
