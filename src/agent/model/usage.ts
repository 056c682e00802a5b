import { z } from 'zod';
import type { ModelAnswer } from './model.ts';

/** Estimates the tokens of a request whose server reports none, at four bytes each, so that a run's token limit holds there too. */
export function estimateUsage({
  sentBytes,
  received,
}: {
  sentBytes: number;
  received: ModelAnswer['items'];
}): ModelAnswer['usage'] {
  const tokens = (bytes: number) => Math.ceil(bytes / 4);
  return {
    tokensIn: tokens(sentBytes),
    tokensOut: tokens(Buffer.byteLength(JSON.stringify(received))),
    tokensCached: 0,
  };
}

/**
 * A number of tokens as a server reports it. A negative or fractional number would upset the run's limit, the database and the metrics, so
 * usage that holds one counts as not reported, and is estimated.
 */
export const tokenCount = z.int().nonnegative();

/** Tokens of what was sent, which is never nothing: a server that reports 0 does not count, and a limit on tokens would never be reached. */
export const inputTokenCount = z.int().positive();
