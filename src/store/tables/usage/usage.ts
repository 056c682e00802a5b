import { type RawBuilder, sql } from 'kysely';
import type { Tokens } from '../../../config/prices.ts';
import type { Database } from '../../postgres/database.ts';
import { countTurns } from '../jobs/runs.ts';

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

/** By who or what asked for the runs, in the days that `listUsage` has. Reads the runs: those of removed jobs are not in it. */
export async function listUsageByPeople(
  database: Database,
  { projectId, from, to, by }: { projectId: string; from: string; to: string; by: (typeof peopleGroups)[number] },
): Promise<Usage[]> {
  const { rows } = await sql<Usage>`
    select "group", "group" as name, model, count(*) as runs, sum(turns)::bigint as turns, sum(tokens_in)::bigint as "tokensIn",
      sum(tokens_cached)::bigint as "tokensCached", sum(tokens_out)::bigint as "tokensOut"
    from (
      select runs.*, jobs.model, ${countTurns} as turns, ${
        by === 'automation'
          ? sql`jobs.automation`
          : sql`(select author from messages where messages.run_id = runs.run_id order by seq limit 1)`
      } as "group"
      from jobs join runs using (job_id)
      where project_id = ${projectId} and phase = 'ended' and (ended_at at time zone 'UTC')::date between ${from}::date and ${to}::date
    ) as listed group by "group", model`.execute(database);
  return rows;
}

/** The days are `YYYY-MM-DD` in UTC, both included. */
export function listUsage(
  database: Database,
  { projectId, from, to, by }: { projectId: string; from: string; to: string; by: UsageGroup },
): Promise<Usage[]> {
  const sum = (column: 'runs' | 'turns' | 'tokens_in' | 'tokens_cached' | 'tokens_out') =>
    sql<number>`sum(${sql.ref(`usage.${column}`)})::bigint`;
  return database
    .selectFrom('usage')
    .leftJoin('api_keys', 'api_keys.key_id', 'usage.key_id')
    .select([
      groups[by].as('group'),
      sql<string | null>`max(name)`.as('name'),
      'model',
      sum('runs').as('runs'),
      sum('turns').as('turns'),
      sum('tokens_in').as('tokensIn'),
      sum('tokens_cached').as('tokensCached'),
      sum('tokens_out').as('tokensOut'),
    ])
    .where('usage.project_id', '=', projectId)
    .where(sql<boolean>`day between ${from}::date and ${to}::date`)
    .groupBy([groups[by], 'model'])
    .execute();
}
