import type { Tx } from '../store/postgres/database.ts';
import { type BudgetState, countRequest, findExhaustedBudget, type RateState } from '../store/tables/usage.ts';

/** Each project has these limits. */
export interface ProjectLimits {
  /** Jobs and messages per clock hour; 0: no limit. */
  rateLimit: number;
  /** In and out, per calendar month; absent or 0: no limit. */
  tokensPerMonth?: number | undefined;
}

export type LimitReached =
  | { kind: 'rate_limited'; rate: RateState }
  | { kind: 'budget_exhausted'; budget: BudgetState };

/** Call it in the transaction that accepts the request. `rate` is null without a rate limit. */
export async function countAgainstLimits(
  { tx }: { tx: Tx },
  projectId: string,
  { rateLimit, tokensPerMonth = 0 }: ProjectLimits,
): Promise<{ kind: 'within'; rate: RateState | null } | LimitReached> {
  const budget = await findExhaustedBudget(tx, { projectId, tokensPerMonth });
  if (budget) return { kind: 'budget_exhausted', budget };
  const rate = rateLimit > 0 ? await countRequest(tx, { projectId, limit: rateLimit }) : null;
  return rate === null || rate.isAllowed ? { kind: 'within', rate } : { kind: 'rate_limited', rate };
}
