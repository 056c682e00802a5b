import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import type { Log } from '../../log.ts';
import { realTiming } from '../../timing.ts';
import type { PostgresControl } from './server.ts';

const restartRetryMs = 10_000;

const restartPauseMs = 1_000;

interface Entrance {
  control: PostgresControl;
  connection: PostgresConnection;
  stuckAfterMs: number;
  signal: AbortSignal | undefined;
}

interface KeptPresence {
  started: boolean;
  /** Stops reconnecting. The connection that it resolves with may have ended. */
  release(): Promise<Client>;
}

/** Starts the server if necessary, and again whenever the connection ends: a server may be killed or end on a full disk. */
export async function keepServerPresence(request: Entrance & { log: Log | undefined }): Promise<KeptPresence> {
  const { log, ...entrance } = request;
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
    for (let waitMs = restartPauseMs; ; waitMs = restartRetryMs) {
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

/** Undefined after an abort. */
async function findLoss(presence: Client, signal: AbortSignal): Promise<unknown> {
  try {
    await once(presence, 'end', { signal });
    return new Error('the connection ended');
  } catch (error) {
    return signal.aborted ? undefined : error;
  }
}

/**
 * The lock file is less reliable than the socket. A start that lost a race fails like any other, and its winner may end before we check, so
 * only the third failure counts. A server without a startup process, as after a recovery on a full disk, blocks every start and is stopped.
 */
async function enter(options: Entrance): Promise<{ presence: Client; started: boolean }> {
  const { control, connection, stuckAfterMs, signal } = options;
  const deadline = AbortSignal.timeout(realTiming.embeddedDatabase.startWithinMs);
  let started = false;
  let failures = 0;
  let stuckSince: number | undefined;
  for (;;) {
    const presence = await enterPostgres(connection);
    if (!(presence instanceof Error)) return { presence, started };
    // After an abort, connect first, then leave: a server that this process started must not stay behind.
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

/** 57P03: starts, recovers or stops. https://www.postgresql.org/docs/18/errcodes-appendix.html */
const isStarting = (error: Error) => error instanceof DatabaseError && error.code === '57P03';

export interface PostgresConnection {
  host: string;
  port: number;
  user: string;
  database: string;
  /** Overrides PGSSLMODE: the socket has no TLS. */
  ssl: false;
}

// In the database `postgres`, where the application takes no advisory lock.
const lock = 7_243_001;
const applicationName = 'pagewright presence';

/** Each user of the server keeps one such connection. Returns an error if the server is not running, starts or stops. */
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

/** Keeps the server running until the connection ends. */
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

/** Counts connections of any program, psql's too. True for at most one process; no other can enter until the connection ends. False, too, where
 * another one stops the server at this moment. */
export async function isLastToLeave(client: Client): Promise<boolean> {
  const locked = await orError(() =>
    client.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [lock]),
  );
  if (locked instanceof Error || !locked.rows[0]?.alone) return false;
  // Backends of a closed pool may take a moment to end.
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

async function orError<T>(attempt: () => Promise<T>): Promise<T | Error> {
  try {
    return await attempt();
  } catch (error) {
    const isRefusal = error instanceof DatabaseError && !error.code?.startsWith('57P');
    if (isRefusal || !(error instanceof Error)) throw error;
    return error;
  }
}
