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
