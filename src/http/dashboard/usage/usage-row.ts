import type { UsageGroup } from '../../../store/tables/usage/usage.ts';

/** Days are `YYYY-MM-DD` in UTC, both included. */
export interface UsageQuery {
  from: string;
  to: string;
  by: UsageGroup;
}

export interface UsageSums {
  runs: number;
  turns: number;
  tokensIn: number;
  tokensCached: number;
  tokensOut: number;
  /** null: a model that was used has no price. */
  cost: number | null;
}

/** `name`: the day, the model, or the key. */
export type UsageRow = UsageSums & { name: string };
