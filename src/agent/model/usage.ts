import { z } from 'zod';
import type { ModelAnswer } from './model.ts';

export const estimateTokens = (bytes: number) => Math.ceil(bytes / 4);

/** Keeps the token limit effective on servers that report no usage. */
export function estimateUsage(options: { sentBytes: number; received: ModelAnswer['items'] }): ModelAnswer['usage'] {
  const { sentBytes, received } = options;
  return {
    tokensIn: estimateTokens(sentBytes),
    tokensOut: estimateTokens(Buffer.byteLength(JSON.stringify(received))),
    tokensCached: 0,
  };
}

const tokenCount = z.int().nonnegative();
/** Positive: a server that reports 0 does not count, and the token limit would have no effect. */
const inputCount = z.int().positive();
const details = z.object({ cached_tokens: tokenCount.nullish() }).nullish();

/** The names of both protocols. DeepSeek and Moonshot report cached tokens beside them. */
const reported = z.object({
  prompt_tokens: inputCount.nullish(),
  input_tokens: inputCount.nullish(),
  completion_tokens: tokenCount.nullish(),
  output_tokens: tokenCount.nullish(),
  total_tokens: tokenCount.nullish(),
  prompt_tokens_details: details,
  input_tokens_details: details,
  prompt_cache_hit_tokens: tokenCount.nullish(),
  cached_tokens: tokenCount.nullish(),
});

/** Null for a usage with a missing, negative or fractional count: it would break the limit, the database and the metrics. */
export function readUsage(value: unknown): ModelAnswer['usage'] | null {
  const { data } = reported.safeParse(value);
  const tokensIn = data?.prompt_tokens ?? data?.input_tokens;
  if (!data || !tokensIn) return null;
  const tokensOut = data.completion_tokens ?? data.output_tokens ?? (data.total_tokens ?? 0) - tokensIn;
  if (tokensOut < 0) return null;
  const { cached_tokens: cached } = data.prompt_tokens_details ?? data.input_tokens_details ?? {};
  return { tokensIn, tokensOut, tokensCached: cached ?? data.prompt_cache_hit_tokens ?? data.cached_tokens ?? 0 };
}
