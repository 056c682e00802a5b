import { sql } from 'kysely';
import type { Database } from '../postgres/database.ts';
import type { EventData } from '../tables/jobs/event-data.ts';

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
