import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { plannedOnceRepeated } from '../../postgres/send-statement.ts';

export interface RateState {
  isAllowed: boolean;
  limit: number;
  remaining: number;
  /** Until the clock hour (UTC) ends. */
  resetSeconds: number;
}

/** Call it in the transaction that accepts the request: a rollback uncounts it. Exact, because concurrent requests wait for each other. */
export async function countRequest(
  tx: Database,
  { projectId, limit }: { projectId: string; limit: number },
): Promise<RateState> {
  const { rows } = await sql<{ used: number; resetSeconds: number }>`${plannedOnceRepeated}
    insert into rate_counters as counter (project_id, window_start, used)
    values (${projectId}, date_trunc('hour', now(), 'UTC'), 1)
    on conflict (project_id, window_start) do update set used = least(counter.used, ${limit}) + 1
    returning used,
      ceil(extract(epoch from window_start + interval '1 hour' - now()))::int as "resetSeconds"`.execute(tx);
  const used = rows[0]?.used ?? 0;
  const resetSeconds = Math.max(1, rows[0]?.resetSeconds ?? 1);
  return { isAllowed: used <= limit, limit, remaining: Math.max(0, limit - used), resetSeconds };
}
