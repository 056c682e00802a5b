import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  `set local lock_timeout = '100ms'`,
  'lock table projects in access exclusive mode',
  `alter table projects
    -- when GitHub was last asked for merges and releases that nobody told of; null: never
    add column occasions_read_at timestamptz`,
];
