import { setTimeout as delay } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';

/** Where the server is and as whom to connect, as `pg.PoolConfig` and `pg.ClientConfig` take it. */
export interface PostgresConnection {
  /** The socket's folder. */
  host: string;
  port: number;
  user: string;
  database: string;
  /** The socket speaks no TLS, whatever PGSSLMODE says in our environment. */
  ssl: false;
}

// Advisory locks belong to a database; this one is held in `postgres`, where the application takes none.
const lock = 7_243_001;
const applicationName = 'pagewright presence';

/**
 * Connects for presence: each process that uses the server holds one such connection. Answers with the reason when there is no server yet,
 * or none any more, or it is just coming or going; throws when it is there and refuses us.
 */
export async function connectPresence(connection: PostgresConnection): Promise<Client | Error> {
  const client = new Client({
    ...connection,
    database: 'postgres',
    application_name: applicationName,
    connectionTimeoutMillis: 5_000,
  });
  // Without a listener a lost connection ends the process. Who keeps it hears its end, and who leaves connects anew.
  client.on('error', () => {});
  return orReason(async () => {
    await client.connect();
    return client;
  });
}

/** Connects and becomes one who keeps the server on, until the connection ends. Answers and throws like `connectPresence`. */
export async function enterPostgres(connection: PostgresConnection): Promise<Client | Error> {
  const client = await connectPresence(connection);
  if (client instanceof Error) return client;
  return orReason(async () => {
    const { rows } = await client.query<{ entered: boolean }>('select pg_try_advisory_lock_shared($1) as entered', [
      lock,
    ]);
    if (rows[0]?.entered) return client;
    await client.end();
    return new Error('the server is being stopped by the last process that used it');
  });
}

/**
 * Whether nobody uses the server but this connection, whose own process has left before. If so, nobody can enter until the connection
 * ends; of several leaving at once at most one hears yes. Any other program's connection counts, psql's too.
 */
export async function isLastToLeave(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [lock]);
  if (!rows[0]?.alone) return false;
  // The backends of a pool that was closed a moment ago may take a moment more.
  for (let looks = 0; looks < 40; looks++) {
    const others = await client.query(
      `select from pg_stat_activity where backend_type = 'client backend' and application_name <> $1 limit 1`,
      [applicationName],
    );
    if (others.rowCount === 0) return true;
    await delay(25);
  }
  return false;
}

/** 57P01 to 57P03: shutting down, crashed, starting up. https://www.postgresql.org/docs/18/errcodes-appendix.html */
async function orReason<T>(attempt: () => Promise<T>): Promise<T | Error> {
  try {
    return await attempt();
  } catch (error) {
    const isRefusal = error instanceof DatabaseError && !error.code?.startsWith('57P');
    if (isRefusal || !(error instanceof Error)) throw error;
    return error;
  }
}
