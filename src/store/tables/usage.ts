import { type RawBuilder, sql } from 'kysely';
import type { Tokens } from '../../config/prices.ts';
import type { Database } from '../postgres/database.ts';
import { plannedOnceRepeated } from '../postgres/send-statement.ts';
import { countTurns } from './jobs/runs.ts';

/** Adds what the run used. Call it once, in the transaction that ends the run, with the job locked. */
export async function countUsage(tx: Database, runId: string): Promise<void> {
  await sql`
    insert into usage (project_id, day, model, key_id, runs, turns, tokens_in, tokens_cached, tokens_out)
    select project_id, (ended_at at time zone 'UTC')::date, model,
      coalesce((select key_id from messages where messages.run_id = runs.run_id order by seq limit 1), ''),
      1, (select count(*) from turns where turns.run_id = runs.run_id), tokens_in, tokens_cached, tokens_out
    from runs join jobs using (job_id) where run_id = ${runId}
    on conflict (project_id, day, model, key_id) do update set
      runs = usage.runs + excluded.runs, turns = usage.turns + excluded.turns,
      tokens_in = usage.tokens_in + excluded.tokens_in, tokens_cached = usage.tokens_cached + excluded.tokens_cached,
      tokens_out = usage.tokens_out + excluded.tokens_out`.execute(tx);
}

export const usageGroups = ['day', 'model', 'key'] as const;
export type UsageGroup = (typeof usageGroups)[number];

/** The usage of one model, because each has its price. */
export interface Usage extends Tokens {
  /** The day, the model, or the id of the key; null: no key sent the message that opened the runs. */
  group: string | null;
  /** The name of the key. */
  name: string | null;
  model: string;
  runs: number;
  turns: number;
}

const groups: Record<UsageGroup, RawBuilder<string | null>> = {
  day: sql`to_char(day, 'YYYY-MM-DD')`,
  model: sql`model`,
  key: sql`nullif(usage.key_id, '')`,
};

export const peopleGroups = ['author', 'automation'] as const;

const askers: Record<(typeof peopleGroups)[number], RawBuilder<string | null>> = {
  author: sql`(select author from messages where messages.run_id = runs.run_id order by seq limit 1)`,
  automation: sql`jobs.automation`,
};

/** By who or what asked for the runs, in the days that `listUsage` has. Reads the runs: those of removed jobs are not in it. */
export async function listUsageByPeople(
  database: Database,
  { projectId, from, to, by }: { projectId: string; from: string; to: string; by: (typeof peopleGroups)[number] },
): Promise<Usage[]> {
  const { rows } = await sql<Usage>`
    select "group", "group" as name, model, ${sums}, count(*) as runs
    from (
      select runs.*, jobs.model, ${countTurns} as turns, ${askers[by]} as "group"
      from jobs join runs using (job_id)
      where project_id = ${projectId} and phase = 'ended' and (ended_at at time zone 'UTC')::date between ${from}::date and ${to}::date
    ) as listed group by "group", model`.execute(database);
  return rows;
}

/** The days are `YYYY-MM-DD` in UTC, both included. */
export async function listUsage(
  database: Database,
  { projectId, from, to, by }: { projectId: string; from: string; to: string; by: UsageGroup },
): Promise<Usage[]> {
  const { rows } = await sql<Usage>`
    select ${groups[by]} as "group", max(name) as name, model, ${sums}, sum(runs)::bigint as runs
    from usage left join api_keys using (key_id)
    where usage.project_id = ${projectId} and day between ${from}::date and ${to}::date
    group by ${groups[by]}, model`.execute(database);
  return rows;
}

const sums = sql`sum(turns)::bigint as turns, sum(tokens_in)::bigint as "tokensIn",
  sum(tokens_cached)::bigint as "tokensCached", sum(tokens_out)::bigint as "tokensOut"`;

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
