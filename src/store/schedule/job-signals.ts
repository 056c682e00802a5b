import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Log } from '../../log.ts';
import { realTiming } from '../../timing.ts';
import { readWithDeadline } from '../postgres/availability.ts';
import { type Connection, patience } from '../postgres/database.ts';
import type { Tables } from '../tables/schema.ts';

const channel = 'pagewright_job';

/** The worker that holds the job reads its flags when the transaction commits. */
export async function signalJob(tx: Kysely<Tables>, jobId: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${jobId})`.execute(tx);
}

/** Reconnects. A lost signal only delays: each renewal of a lease reads the same flags. */
export function listenForSignals({
  connection,
  log,
  onSignal,
}: {
  connection: Connection;
  log: Log;
  onSignal: (jobId: string) => void;
}): AsyncDisposable {
  const stopping = new AbortController();
  const listening = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await listenUntilLost({ connection, onSignal, signal: stopping.signal });
      } catch (error) {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'the signal connection was lost');
      }
      await delay(1_000, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await listening;
    },
  };
}

async function listenUntilLost({
  connection,
  onSignal,
  signal,
}: {
  connection: Connection;
  onSignal: (jobId: string) => void;
  signal: AbortSignal;
}): Promise<void> {
  const client = new pg.Client({ ...connection, ...patience });
  const ended = Promise.withResolvers<void>();
  client.on('error', (error) => ended.reject(error));
  client.on('end', () => ended.resolve());
  client.on('notification', ({ payload }) => payload && onSignal(payload));
  // On a broken network no goodbye arrives.
  const stop = () => client.connection.stream.destroy();
  signal.addEventListener('abort', stop, { once: true });
  let heartbeat: NodeJS.Timeout | undefined;
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
    if (signal.aborted) return;
    // Without a heartbeat, a connection that only listens notices a broken network after 15 minutes.
    heartbeat = setInterval(
      () => readWithDeadline(client.query('select 1')).catch(ended.reject),
      realTiming.database.heartbeatEveryMs,
    );
    await ended.promise;
  } finally {
    clearInterval(heartbeat);
    signal.removeEventListener('abort', stop);
    ended.promise.catch(() => {});
    stop();
  }
}
