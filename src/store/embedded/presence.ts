import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import type { Log } from '../../log.ts';
import { realTiming } from '../../timing.ts';
import type { PostgresControl } from './server.ts';

interface Entrance {
  control: PostgresControl;
  connection: PostgresConnection;
  /** How long a starting server may lack its startup process before it counts as stuck. */
  stuckAfterMs: number;
  signal: AbortSignal | undefined;
}

export interface KeptPresence {
  /** Whether this process started the server. */
  started: boolean;
  /** Stops reconnecting. Resolves with the last connection, which may have ended. */
  release(): Promise<Client>;
}

/**
 * Connects to the server, starting it if necessary, and does so again whenever the connection ends: any of its users restarts a server that
 * was killed or that ended on a full disk. Ends with `release` or an abort of `signal`. Throws if the first connection fails, or the signal's
 * reason.
 */
export async function keepPresence({ log, ...entrance }: Entrance & { log: Log | undefined }): Promise<KeptPresence> {
  const { presence, started } = await enter(entrance);
  const releasing = new AbortController();
  const signal = AbortSignal.any([releasing.signal, ...(entrance.signal ? [entrance.signal] : [])]);

  async function keep(): Promise<Client> {
    for (let current = presence; ; current = (await enterAgain()) ?? current) {
      const loss = await findLoss(current, signal);
      if (loss === undefined) return current;
      log?.warn({ err: loss }, 'the embedded database was lost');
    }
  }

  async function enterAgain(): Promise<Client | undefined> {
    for (
      let waitMs = realTiming.embeddedDatabase.restartPauseMs;
      ;
      waitMs = realTiming.embeddedDatabase.restartRetryMs
    ) {
      await delay(waitMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return undefined;
      try {
        return (await enter({ ...entrance, signal })).presence;
      } catch (error) {
        if (!signal.aborted) log?.warn({ err: error }, 'the embedded database could not be started again');
      }
    }
  }

  const keeping = keep();
  return {
    started,
    release() {
      releasing.abort();
      return keeping;
    },
  };
}

/** Waits for the end of the connection and returns its reason; undefined after an abort. */
async function findLoss(presence: Client, signal: AbortSignal): Promise<unknown> {
  try {
    await once(presence, 'end', { signal });
    return new Error('the connection ended');
  } catch (error) {
    return signal.aborted ? undefined : error;
  }
}

/**
 * Tries the socket first, which is reliable; the process number in the lock file is not. A start that loses a race against another process
 * fails like any other, except that a server runs afterwards; it may end again before we check, so only the third failure without a server
 * counts. A server that refuses connections and has no startup process, for example after a recovery on a full disk, is stopped, because it
 * blocks every other start. A wrong guess costs no data.
 */
async function enter({
  control,
  connection,
  stuckAfterMs,
  signal,
}: Entrance): Promise<{ presence: Client; started: boolean }> {
  const deadline = AbortSignal.timeout(realTiming.embeddedDatabase.startWithinMs);
  let started = false;
  let failures = 0;
  let stuckSince: number | undefined;
  for (;;) {
    const presence = await enterPostgres(connection);
    if (!(presence instanceof Error)) return { presence, started };
    // After an abort, a server that this process started must not stay behind: connect first, then leave.
    if (!started) signal?.throwIfAborted();
    if (deadline.aborted) throw new Error(`could not connect to ${connection.host}`, { cause: presence });
    if (await control.isRunning()) {
      const isStuck = isStarting(presence) && (await control.lacksStartup());
      stuckSince = isStuck ? (stuckSince ?? performance.now()) : undefined;
      if (stuckSince !== undefined && performance.now() - stuckSince > stuckAfterMs) await control.stop('immediate');
      await delay(50);
      continue;
    }
    try {
      await control.start();
      started = true;
    } catch (error) {
      if (!(await control.isRunning())) failures += 1;
      if (failures === 3) throw error;
      await delay(50);
    }
  }
}

/** 57P03, cannot_connect_now: the server starts, recovers or stops. https://www.postgresql.org/docs/18/errcodes-appendix.html */
const isStarting = (error: Error) => error instanceof DatabaseError && error.code === '57P03';

/** A `pg.ClientConfig`. */
export interface PostgresConnection {
  /** Folder of the socket. */
  host: string;
  port: number;
  user: string;
  database: string;
  /** Overrides PGSSLMODE: the socket has no TLS. */
  ssl: false;
}

// An advisory lock in the database `postgres`, where the application takes none.
const lock = 7_243_001;
const applicationName = 'pagewright presence';

/**
 * Connects to mark the presence of this process; each user of the server holds one such connection. Returns an error if the server does not
 * run, starts or stops; throws if it refuses the connection.
 */
export async function connectPresence(connection: PostgresConnection): Promise<Client | Error> {
  const client = new Client({
    ...connection,
    database: 'postgres',
    application_name: applicationName,
    connectionTimeoutMillis: 5_000,
  });
  // Without a listener, a lost connection ends the process.
  client.on('error', () => {});
  return orError(async () => {
    await client.connect();
    return client;
  });
}

/** Like `connectPresence`, and keeps the server running until the connection ends. */
async function enterPostgres(connection: PostgresConnection): Promise<Client | Error> {
  const client = await connectPresence(connection);
  if (client instanceof Error) return client;
  return orError(async () => {
    const { rows } = await client.query<{ entered: boolean }>('select pg_try_advisory_lock_shared($1) as entered', [
      lock,
    ]);
    if (rows[0]?.entered) return client;
    await client.end();
    return new Error('the server is being stopped by the last process that used it');
  });
}

/**
 * Whether this connection is the server's only user. If so, no process can enter until the connection ends, and at most one of several that
 * leave at once gets true. Connections of any program count, psql's too.
 */
export async function isLastToLeave(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [lock]);
  if (!rows[0]?.alone) return false;
  // Backends of a pool that was just closed may take a moment to end.
  for (let tries = 0; tries < 40; tries++) {
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
async function orError<T>(attempt: () => Promise<T>): Promise<T | Error> {
  try {
    return await attempt();
  } catch (error) {
    const isRefusal = error instanceof DatabaseError && !error.code?.startsWith('57P');
    if (isRefusal || !(error instanceof Error)) throw error;
    return error;
  }
}
