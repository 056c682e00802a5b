import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Connection } from '../../src/store/postgres/database.ts';

const sha = '0123456789abcdef0123456789abcdef01234567';

/** The id of the n-th filler job, in the form of a real id; `a` marks the kind of row. */
export const fillId = (prefix: string, nth: number) => `${prefix}_a${String(nth).padStart(25, '0')}`;

/** Inserts `count` finished jobs with message, run, push and pull request, half with a delivery. One in a hundred is not archived. */
export async function fillWithFinished(connection: Connection, projectId: string, count: number): Promise<void> {
  // Without the service's statement time-outs.
  await using database = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool(connection) }) });
  await database.transaction().execute(async (tx) => {
    // The rows refer to each other correctly; checking each foreign key would take longer than the rest.
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`set local synchronous_commit = off`.execute(tx);
    for (const statement of fill(projectId, count)) await statement.execute(tx);
  });
  for (const table of ['jobs', 'messages', 'runs', 'effects', 'deliveries'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(database);
}

const id = (prefix: string) => sql`${sql.lit(`${prefix}_a`)} || lpad(n::text, 25, '0')`;
const age = sql`now() - (${sql.lit(10)} + n) * interval '10 seconds'`;

const fill = (projectId: string, count: number) => [
  sql`insert into jobs (job_id, project_id, status, base, branch, model, draft, pull_request_number, pull_request_url,
      pull_request_title, pull_request_updated_at, next_seq, lease_epoch, created_at, archived_at, archive_reason)
    select ${id('job')}, ${projectId}, case when n % 100 = 0 then 'completed' else 'archived' end, 'main',
      'pagewright/change-' || n, 'gpt-5', false, n, 'https://github.com/acme/docs/pull/' || n, 'Change ' || n, ${age}, 2, 1,
      ${age}, case when n % 100 = 0 then null else ${age} end, case when n % 100 = 0 then null else 'merged' end
    from generate_series(1, ${count}::int) n`,
  sql`insert into runs (run_id, job_id, number, phase, base_sha, outcome, code, sentence, tokens_in, tokens_out, active_ms,
      commit_sha, started_at, ended_at, removed_turns)
    select ${id('run')}, ${id('job')}, 1, 'ended', ${sha}, 'completed', 'published', 'The change is in the pull request.',
      20000, 1000, 60000, ${sha}, ${age}, ${age}, 8
    from generate_series(1, ${count}::int) n`,
  sql`insert into messages (message_id, job_id, seq, source, source_key, author, prompt, state, run_id, turn_index, created_at)
    select ${id('msg')}, ${id('job')}, 1, 'api', ${id('msg')}, 'ci', repeat('Say how it is done. ', 10), 'answered',
      ${id('run')}, 0, ${age}
    from generate_series(1, ${count}::int) n`,
  sql`insert into effects (job_id, key, run_id, epoch, state, request, response, external_id, intended_at, done_at)
    select ${id('job')}, ${id('run')} || ':' || kind, ${id('run')}, 1, 'done', '{"branch":"pagewright/change"}', '{}', n::text,
      ${age}, ${age}
    from generate_series(1, ${count}::int) n, unnest(array['push', 'pull-request']) kind`,
  sql`insert into deliveries (delivery_id, event, action, repository_id, fields, state, received_at, processed_at)
    select gen_random_uuid()::text, 'pull_request', 'closed', 1, '{"pull_request":{"number":1}}', 'done', ${age}, ${age}
    from generate_series(1, ${count}::int / 2) n`,
];
