import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../../log.ts';
import { realTiming } from '../../timing.ts';
import { readWithDeadline } from './availability.ts';
import { type Connection, connectionOptions } from './database.ts';

/** One connection per process. Notifications that are sent while it is lost do not arrive, so listeners also poll. */
export interface Notifications extends AsyncDisposable {
  /** Calls `onPayload` for each notification on the channel, once it is committed. */
  on(channel: string, onPayload: (payload: string) => void): void;
}

/** Connects at once, and again after a lost connection. */
export function receiveNotifications({ connection, log }: { connection: Connection; log: Log }): Notifications {
  const listeners = new Map<string, ((payload: string) => void)[]>();
  const stopping = new AbortController();
  let listen: (channel: string) => void = () => {};

  const receiving = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await receiveUntilLost();
      } catch (error) {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'the connection for notifications was lost');
      }
      await delay(1_000, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();

  async function receiveUntilLost(): Promise<void> {
    const client = new pg.Client({ ...connection, ...connectionOptions });
    const ended = Promise.withResolvers<void>();
    client.on('error', (error) => ended.reject(error));
    client.on('end', () => ended.resolve());
    client.on('notification', ({ channel, payload = '' }) => {
      for (const listener of listeners.get(channel) ?? []) listener(payload);
    });
    // On a broken network, a clean close would never end.
    const stop = () => client.connection.stream.destroy();
    stopping.signal.addEventListener('abort', stop, { once: true });
    let heartbeat: NodeJS.Timeout | undefined;
    try {
      await client.connect();
      const query = queryInTurn(client);
      listen = (channel) => void query(`listen ${client.escapeIdentifier(channel)}`).catch(ended.reject);
      for (const channel of listeners.keys()) listen(channel);
      if (stopping.signal.aborted) return;
      // Without a heartbeat, a connection that only listens notices a broken network after 15 minutes.
      heartbeat = setInterval(
        () => readWithDeadline(query('select 1')).catch(ended.reject),
        realTiming.database.heartbeatEveryMs,
      );
      await ended.promise;
    } finally {
      listen = () => {};
      clearInterval(heartbeat);
      stopping.signal.removeEventListener('abort', stop);
      ended.promise.catch(() => {});
      stop();
    }
  }

  return {
    on(channel, onPayload) {
      const others = listeners.get(channel);
      listeners.set(channel, [...(others ?? []), onPayload]);
      if (!others) listen(channel);
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await receiving;
    },
  };
}

/** pg 9 takes no query while another one is under way, and 8 warns. */
function queryInTurn(client: pg.Client): (text: string) => Promise<unknown> {
  let last: Promise<unknown> = Promise.resolve();
  return (text) => {
    const answered = last.then(() => client.query(text));
    last = answered.catch(() => {});
    return answered;
  };
}
