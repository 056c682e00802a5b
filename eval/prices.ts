import { z } from 'zod';
import { UsageError } from './command.ts';

const price = z.number().nonnegative();
const pricesSchema = z.record(z.string(), z.object({ in: price, cachedIn: price, out: price }));

/** Prices per million tokens. `in` is for tokens that no cache had. */
export type Prices = z.infer<typeof pricesSchema>;

export interface Tokens {
  /** With those that a cache had. */
  tokensIn: number;
  tokensCached: number;
  tokensOut: number;
}

/** Parses OPENAI_PRICES. Throws `UsageError`. */
export function parsePrices(text: string | undefined): Prices {
  if (text === undefined || text.trim() === '') return {};
  try {
    return pricesSchema.parse(JSON.parse(text));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : 'it is not valid JSON';
    throw new UsageError(`OPENAI_PRICES cannot be read: ${why}`);
  }
}

/** Null for a model without a price. */
export function findCost(prices: Prices, model: string, { tokensIn, tokensCached, tokensOut }: Tokens): number | null {
  const found = Object.hasOwn(prices, model) ? prices[model] : undefined;
  if (found === undefined) return null;
  return ((tokensIn - tokensCached) * found.in + tokensCached * found.cachedIn + tokensOut * found.out) / 1e6;
}
