import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Log } from '../../log.ts';
import { realTiming } from '../../timing.ts';
import { readWithDeadline } from '../postgres/availability.ts';
import { type Connection, patience } from '../postgres/database.ts';
import type { Tables } from '../tables/schema.ts';

const channel = 'pagewright_job';

/** Tells whichever worker holds the job to look at its flags now, when the transaction commits. */
export async function signalJob(tx: Kysely<Tables>, jobId: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${jobId})`.execute(tx);
}

/**
 * Listens for `signalJob` on a connection of its own and connects again whenever it is lost. Signals may get lost with it:
 * the renewal of the lease reads the same flags, so a signal only makes things faster.
 */
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
  // Where the network is gone, the server says no goodbye that could be waited for.
  const stop = () => client.connection.stream.destroy();
  signal.addEventListener('abort', stop, { once: true });
  let heartbeat: NodeJS.Timeout | undefined;
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
    if (signal.aborted) return;
    // A connection that only listens would not notice for a quarter of an hour that nothing comes through it any more.
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
