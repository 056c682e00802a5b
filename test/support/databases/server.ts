import pg from 'pg';
import type { Connection } from '../../../src/store/postgres/database.ts';

/** The same server, another database. */
export function inDatabase(server: Connection, database: string): Connection {
  if (!('connectionString' in server)) return { ...server, database };
  const url = new URL(server.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

/** Runs a statement that is about databases and not in one. */
export async function administer(server: Connection, statement: string): Promise<void> {
  const client = new pg.Client({ ...server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
