import { sql } from 'kysely';
import { expect } from 'vitest';
import type { LiveJob } from './live-job.ts';
import type { Model } from './model.ts';

/**
 * The job is as the state table says, and so is each of its messages, in the order in which they were accepted. One row: there is never a
 * second run that has not ended.
 */
export async function compare(model: Model, { jobId, parts }: LiveJob): Promise<void> {
  const { rows } = await sql`
    select status, archived_at is not null as "isArchived", coalesce(phase, 'none') as run,
      coalesce(stop_requested, false) as "isStopRequested",
      (select json_agg(json_build_object('key', case source when 'api' then prompt else source_key end, 'state', state)
        order by seq) from messages where messages.job_id = jobs.job_id) as messages
    from jobs left join runs on runs.job_id = jobs.job_id and phase <> 'ended'
    where jobs.job_id = ${jobId}`.execute(parts.database);
  const { status, run, isStopRequested } = model;
  const messages = model.messages.map(({ key, state }) => ({ key, state }));
  expect(rows).toEqual([{ status, isArchived: status === 'archived', run, isStopRequested, messages }]);
}
