import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { plannedOnceRepeated } from '../../postgres/send-statement.ts';
import type { NewRow } from '../schema.ts';
import type { NewEvent } from './event-data.ts';
import { eventChannel, projectChannel } from './events.ts';
import type { Job } from './jobs.ts';
import type { MessageContent } from './messages.ts';

/** One statement for a due job, its first message and its first events. */
export async function openJob(
  tx: Database,
  options: {
    job: Pick<NewRow<'jobs'>, 'job_id' | 'project_id' | 'base' | 'model' | 'draft' | 'automation' | 'asked_on'>;
    message: MessageContent & { messageId: string };
    events: readonly NewEvent[];
  },
): Promise<Job> {
  const { job, message, events } = options;
  const { messageId, source, author, prompt, keyId = null, context } = message;
  const { sourceKey = messageId, deliveryId = null, writtenAt = null } = message;
  const told = context === undefined ? null : JSON.stringify(context);
  const types = events.map(({ type }) => type);
  const data = events.map((event) => JSON.stringify(event.data));
  const { rows } = await sql<Job>`${plannedOnceRepeated}
    with job as (
      insert into jobs (job_id, project_id, status, base, model, draft, automation, asked_on, due_at, next_seq, next_event, sources)
      values (${job.job_id}, ${job.project_id}, 'active', ${job.base}, ${job.model}, ${job.draft}, ${job.automation ?? null}, ${job.asked_on ?? null}::int, now(), 2,
        ${events.length + 1}::integer, array[${source}])
      returning *
    ),
    message as (
      insert into messages (message_id, job_id, seq, source, source_key, author, prompt, key_id, context, delivery_id, written_at)
      select ${messageId}::text, job_id, 1, ${source}, ${sourceKey}, ${author}, ${prompt}, ${keyId}, ${told}::json,
        ${deliveryId}, coalesce(${writtenAt}::timestamptz, now())
      from job
    ),
    recorded as (
      insert into events (job_id, seq, type, data, at)
      select job_id, position, type, data::json, clock_timestamp()
      from job, unnest(${types}::text[], ${data}::text[]) with ordinality as told (type, data, position)
    ),
    notified as (
      select count(pg_notify(channel, payload)::text) from job, lateral (
        values (${eventChannel}, job_id), (${projectChannel}, project_id)
      ) notifications (channel, payload)
    )
    select job.* from job, notified`.execute(tx);
  const [opened] = rows;
  if (!opened) throw new Error(`could not insert job ${job.job_id}`);
  return opened;
}
