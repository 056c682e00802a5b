import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../postgres/database.ts';
import type { EventData } from '../tables/jobs/event-data.ts';
import { cutPage, type ListPage, type PageRequest, rowsToRead } from './page.ts';

/** The beginning of a text, and how many characters follow. */
const cutText = z.object({ text: z.string(), more: z.number() });
export type CutText = z.infer<typeof cutText>;

const rowsShape = z.array(
  z.object({
    turn_index: z.number(),
    text: cutText.nullable(),
    usage: z.object({ tokensIn: z.number(), tokensCached: z.number(), tokensOut: z.number() }).nullable(),
    duration_ms: z.number().nullable(),
    calls: z.array(
      z.object({ name: z.string(), arguments: cutText, result: cutText.nullable(), isError: z.boolean().nullable() }),
    ),
  }),
);
export type ListedTurn = z.infer<typeof rowsShape>[number];

/** Newest first, as before any compaction. The database cuts: a page of whole turns may have 40 MB. Lengths are in characters. */
export async function listTurnsOfRun(
  database: Database,
  options: { runId: string; textLength: number; callLength: number; resultLength: number },
  page: PageRequest<number>,
): Promise<ListPage<ListedTurn, number>> {
  const { runId, textLength, callLength, resultLength } = options;
  const { after } = page;
  const { rows } = await sql<unknown>`
    with listed as (
      select turn_index, opened_at, finished_at,
        case when original is null then answer else original -> 'answer' end as answer,
        case when original is null then results else original -> 'results' end as results
      from turns where run_id = ${runId} ${after === undefined ? sql`` : sql`and turn_index < ${after}`}
      order by turn_index desc limit ${rowsToRead(page)}
    )
    select turn_index, ${cut(sql`answer ->> 'text'`, textLength)} as text, answer -> 'usage' as usage,
      (extract(epoch from finished_at - opened_at) * 1000)::float8 as duration_ms,
      (
        select coalesce(json_agg(json_build_object(
          'name', call ->> 'name', 'arguments', ${cut(sql`call ->> 'arguments'`, callLength)},
          'result', ${cut(sql`result ->> 'output'`, resultLength)}, 'isError', (result ->> 'isError')::boolean
        ) order by place), '[]')
        from rows from (json_array_elements(answer -> 'toolCalls'), json_array_elements(results))
          with ordinality as called (call, result, place)
        where call is not null
      ) as calls
    from listed order by turn_index desc`.execute(database);
  return cutPage(rowsShape.parse(rows), page, (row) => row.turn_index);
}

function cut(text: ReturnType<typeof sql>, maxLength: number) {
  const length = sql.lit(maxLength);
  return sql`case when ${text} is not null then
    json_build_object('text', left(${text}, ${length}), 'more', greatest(length(${text}) - ${length}, 0)) end`;
}

type Of<Type extends keyof EventData> = EventData[Type];

/** The files that the live run changed, and the problems that the checks found in each: the latest event of each, in order. */
export interface Progress {
  files: Of<'file.changed'>[];
  problems: Of<'check.problem'>[];
}

const most = 200;

/** Empty for events that the retention removed. */
export async function listProgress(
  database: Database,
  { jobId, liveRunId, runIds }: { jobId: string; liveRunId: string | undefined; runIds: readonly string[] },
): Promise<Progress> {
  const list = async <Type extends 'file.changed' | 'check.problem'>(
    type: Type,
    { of, identifiedBy }: { of: readonly string[]; identifiedBy: readonly string[] },
  ) => {
    const identity = sql.join(identifiedBy.map((name) => sql`data ->> ${sql.lit(name)}`));
    const { rows } = await sql<{ data: Of<Type> }>`
      select data from (
        select distinct on (${identity}) seq, data from events
        where job_id = ${jobId} and type = ${type} and data ->> 'runId' = any(${[...of]})
        order by ${identity}, seq desc
      ) as latest
      order by seq limit ${most}`.execute(database);
    return rows.map(({ data }) => data);
  };
  const files = liveRunId === undefined ? [] : await list('file.changed', { of: [liveRunId], identifiedBy: ['path'] });
  return {
    // A file without differences was changed back.
    files: files.filter(({ additions, deletions }) => additions !== 0 || deletions !== 0),
    problems: await list('check.problem', { of: runIds, identifiedBy: ['runId', 'file', 'line', 'kind', 'message'] }),
  };
}
