import { peopleGroups, usageGroups } from '../../../store/tables/usage/usage.ts';

export const usageViews = [...usageGroups, ...peopleGroups] as const;
export type UsageView = (typeof usageViews)[number];

/** Days are `YYYY-MM-DD` in UTC, both included. */
export interface UsageQuery {
  from: string;
  to: string;
  by: UsageView;
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

/** `name`: the day, the model, the key, the author or the automation. */
export type UsageRow = UsageSums & { name: string };
