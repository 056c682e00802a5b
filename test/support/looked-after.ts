import { sql } from 'kysely';
import { eventually } from '../../harness/eventually.ts';
import type { World } from './world.ts';

/** Resolves when all that a start looks after on GitHub is over. */
export const lookedAfter = ({ database: { database } }: Pick<World, 'database'>) =>
  eventually(async () => {
    const { rows } = await sql`
      select from pgboss.job
      where name in ('redeliver', 'reconcile', 'refresh-settings') and state in ('created', 'retry', 'active')
    `.execute(database);
    return rows.length === 0 || undefined;
  });
