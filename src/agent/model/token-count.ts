import { z } from 'zod';

/**
 * A number of tokens as a server reports it. A negative or fractional number would upset the run's limit, the database and the metrics, so
 * usage that holds one counts as not reported, and is estimated.
 */
export const tokenCount = z.int().nonnegative();

/** Tokens of what was sent, which is never nothing: a server that reports 0 does not count, and a limit on tokens would never be reached. */
export const inputTokenCount = z.int().positive();
