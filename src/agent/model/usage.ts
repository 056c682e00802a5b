import { z } from 'zod';
import type { ModelAnswer } from './model.ts';

export const estimateTokens = (bytes: number) => Math.ceil(bytes / 4);

/** Keeps the token limit effective on servers that report no usage. */
export function estimateUsage({
  sentBytes,
  received,
}: {
  sentBytes: number;
  received: ModelAnswer['items'];
}): ModelAnswer['usage'] {
  return {
    tokensIn: estimateTokens(sentBytes),
    tokensOut: estimateTokens(Buffer.byteLength(JSON.stringify(received))),
    tokensCached: 0,
  };
}

/** Usage with a negative or fractional count is treated as missing: it would break the limit, the database and the metrics. */
export const tokenCount = z.int().nonnegative();

/** Positive: a server that reports 0 does not count, and the token limit would have no effect. */
export const inputTokenCount = z.int().positive();
