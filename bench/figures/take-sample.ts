import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { BenchWorld } from '../world/open-world.ts';
import { measureBytes, readProcess } from './process-figures.ts';

export const tables = [
  'jobs',
  'messages',
  'runs',
  'turns',
  'run_files',
  'effects',
  'deliveries',
  'rate_counters',
  'pgboss.job',
];

/** The resources of a service and its leftovers; memory and files in bytes. */
export interface Sample {
  rss: number;
  files: number;
  connections: number;
  workspaces: number;
  dataBytes: number;
  /** With indexes and dead rows. */
  databaseBytes: number;
  rows: Map<string, number>;
}

export async function takeSample({ database, pid, dataDir }: BenchWorld): Promise<Sample> {
  const { rss, files } = await readProcess(pid);
  const { rows: connected } = await sql<{
    count: number;
  }>`select count(*) from pg_stat_activity where datname = current_database()`.execute(database);
  const { rows: sized } = await sql<{ bytes: number }>`
    select pg_database_size(current_database())::float8 as bytes`.execute(database);
  const rows = new Map<string, number>();
  for (const table of tables) {
    const counted = await sql<{ count: number }>`select count(*) from ${sql.table(table)}`.execute(database);
    rows.set(table, counted.rows[0]?.count ?? 0);
  }
  return {
    rss,
    files,
    connections: connected[0]?.count ?? 0,
    workspaces: (await readdir(join(dataDir, 'workspaces'))).length,
    dataBytes: await measureBytes(dataDir),
    databaseBytes: sized[0]?.bytes ?? 0,
    rows,
  };
}
