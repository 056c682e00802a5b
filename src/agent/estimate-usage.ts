import type { ModelAnswer } from './model.ts';

/** Tokens of a request whose server reports none, at four characters each, so that a run's token limit holds there too. */
export function estimateUsage({ sent, received }: { sent: unknown; received: unknown }): ModelAnswer['usage'] {
  const tokens = (value: unknown) => Math.ceil((JSON.stringify(value) ?? '').length / 4);
  return { tokensIn: tokens(sent), tokensOut: tokens(received), tokensCached: 0 };
}
