import { Migrator } from 'kysely/migration';
import type { Database } from './database.ts';
import * as mainJob from './migrations/0001-main-job.ts';
import * as lifeOnGitHub from './migrations/0002-life-on-github.ts';

/** Brings the tables up to date. Many processes may call it at once: kysely holds an advisory lock while it works. */
export async function migrate(database: Database): Promise<void> {
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => ({ '0001-main-job': mainJob, '0002-life-on-github': lifeOnGitHub }) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw new Error('could not migrate the database', { cause: error });
}
