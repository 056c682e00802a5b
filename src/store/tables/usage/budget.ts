import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';

export interface BudgetState {
  limit: number;
  /** In and out, of this calendar month in UTC, live runs included. */
  used: number;
  resetsAt: Date;
  resetSeconds: number;
}

/** Undefined: there is no budget. */
export async function findBudget(
  tx: Database,
  { projectId, tokensPerMonth: limit = 0 }: { projectId: string; tokensPerMonth?: number },
): Promise<BudgetState | undefined> {
  if (limit === 0) return undefined;
  const { rows } = await sql<{ used: number; resetsAt: Date; resetSeconds: number }>`
    select
      (select coalesce(sum(tokens_in + tokens_out), 0) from usage
        where project_id = ${projectId} and day >= date_trunc('month', now() at time zone 'UTC')::date)::bigint
      + (select coalesce(sum(tokens_in + tokens_out), 0) from runs join jobs using (job_id)
        where phase <> 'ended' and project_id = ${projectId})::bigint as used,
      resets_at as "resetsAt", ceil(extract(epoch from resets_at - now()))::int as "resetSeconds"
    from (select date_trunc('month', now(), 'UTC') + interval '1 month' as resets_at) as month`.execute(tx);
  const [state] = rows;
  return state && { limit, ...state };
}

/** Undefined: there is no budget, or some of it is left. Call it in the transaction that accepts a request. */
export async function findExhaustedBudget(...asked: Parameters<typeof findBudget>): Promise<BudgetState | undefined> {
  const budget = await findBudget(...asked);
  return budget && budget.used >= budget.limit ? budget : undefined;
}
