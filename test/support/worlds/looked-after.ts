import { sql } from 'kysely';
import { eventually } from '../../../harness/eventually.ts';
import type { World } from './world.ts';

/** Resolves when the service's start-up work on GitHub has ended. */
export const lookedAfter = ({ database: { database } }: Pick<World, 'database'>) =>
  eventually(async () => {
    const { rows } = await sql`
      select from pgboss.job
      where name in ('redeliver', 'reconcile', 'refresh-settings') and state in ('created', 'retry', 'active')
    `.execute(database);
    return rows.length === 0 || undefined;
  });
