import { UsageError } from '../src/cli/report-usage.ts';
import { type Prices, readPrices } from '../src/config/prices.ts';

/** Parses OPENAI_PRICES. Throws `UsageError`. */
export function parsePrices(text: string | undefined): Prices {
  if (text === undefined || text.trim() === '') return {};
  const read = readPrices(text);
  if (read.kind === 'prices') return read.prices;
  throw new UsageError(`OPENAI_PRICES ${read.problem}`);
}
