import { z } from 'zod';

const isPrice = 'must be a number, 0 or more';
const price = z.number(isPrice).min(0, isPrice);
const priceSchema = z.strictObject({ in: price, cachedIn: price, out: price });
const pricesSchema = z.record(z.string(), priceSchema, 'must be an object');

const isRecord = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
/** https://www.iso.org/iso-4217-currency-codes.html */
const currencySchema = z.string().regex(/^[A-Z]{3}$/);

/** By model, per million tokens. `in`: tokens that were not cached. */
export type Prices = z.infer<typeof pricesSchema>;

export interface Pricing {
  prices: Prices;
  currency: string;
}

/** Small costs have more digits. */
export function formatCost(cost: number, currency: string): string {
  const digits = cost > 0 && cost < 0.01 ? 4 : 2;
  const form = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return cost.toLocaleString('en', form);
}

export interface Tokens {
  /** Includes cached tokens. */
  tokensIn: number;
  tokensCached: number;
  tokensOut: number;
}

const example = 'write JSON such as {"gpt-5": {"in": 1.25, "cachedIn": 0.125, "out": 10}}, per million tokens';

/** Reads OPENAI_PRICES: prices by model, and their `currency`. `problem` completes a sentence that begins with the variable. */
export function readPrices(
  text: string,
): { kind: 'prices'; prices: Prices; currency: string } | { kind: 'broken'; problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'broken', problem: `is not valid JSON: ${example}` };
  }
  const { currency = 'USD', ...models } =
    z.looseObject({ currency: z.unknown().optional() }).safeParse(value).data ?? {};
  const { data: prices, error } = pricesSchema.safeParse(isRecord(value) ? models : value);
  const code = currencySchema.safeParse(currency).data;
  if (code === undefined) return { kind: 'broken', problem: 'must have a currency of three letters, such as EUR' };
  if (prices) return { kind: 'prices', prices, currency: code };
  const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'it'} ${message}`);
  return { kind: 'broken', problem: `does not hold prices (${problems.join('; ')}): ${example}` };
}

/** Null for a model without a price. */
export function findCost(prices: Prices, model: string, { tokensIn, tokensCached, tokensOut }: Tokens): number | null {
  const found = Object.hasOwn(prices, model) ? prices[model] : undefined;
  if (found === undefined) return null;
  return ((tokensIn - tokensCached) * found.in + tokensCached * found.cachedIn + tokensOut * found.out) / 1e6;
}
