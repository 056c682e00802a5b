import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, DatabaseError } from 'pg';
import type { Log } from '../../log.ts';
import { realTiming } from '../../timing.ts';
import type { PostgresControl } from './postgres-control.ts';
import { enterPostgres, type PostgresConnection } from './postgres-presence.ts';

interface Entrance {
  control: PostgresControl;
  connection: PostgresConnection;
  /** For how long a server may be without its startup process before it is taken for stuck. */
  stuckAfterMs: number;
  signal: AbortSignal | undefined;
}

/** This process's presence at the server. */
export interface KeptPresence {
  /** Whether the first entry started the server. */
  started: boolean;
  /** Resolves with the connection of the last entry, which may have ended: from then on nobody enters again. */
  release(): Promise<Client>;
}

/**
 * Enters, starting the server where none runs, and from then on enters again whenever that connection ends: a server that was killed, or
 * ended because its disk was full, is started again by any of those who use it. That ends with `release`, or when `signal` aborts.
 * Throws when the first entry fails, or the signal's reason.
 */
export async function keepPresence({ log, ...entrance }: Entrance & { log: Log | undefined }): Promise<KeptPresence> {
  const { presence, started } = await enter(entrance);
  const releasing = new AbortController();
  const signal = AbortSignal.any([releasing.signal, ...(entrance.signal ? [entrance.signal] : [])]);

  async function keep(): Promise<Client> {
    for (let held = presence; ; held = (await enterAgain()) ?? held) {
      const loss = await findLoss(held, signal);
      if (loss === undefined) return held;
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

/** Why the connection ended, once it has; undefined when nobody wants to know any more. */
async function findLoss(presence: Client, signal: AbortSignal): Promise<unknown> {
  try {
    await once(presence, 'end', { signal });
    return new Error('the connection ended');
  } catch (error) {
    return signal.aborted ? undefined : error;
  }
}

/**
 * Whether a server runs is asked of its socket first, which cannot be mistaken; the process number in a file can. A start that loses
 * against another process's start looks like any other failure but for the server that is there then. That one may be gone again by the
 * time we look, so only the third failure without a server is one. A server that puts everybody off and has nobody to make it ready, as
 * one whose recovery met a full disk at a bad moment, is ended: it would keep every other from being started. A mistake costs no data.
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
    // A server of our own making is not left behind: first in, then, if aborted, out.
    if (!started) signal?.throwIfAborted();
    if (deadline.aborted) throw new Error(`could not connect to ${connection.host}`, { cause: presence });
    if (await control.isRunning()) {
      const isStuck = isPutOff(presence) && (await control.lacksStartup());
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

/** 57P03, cannot_connect_now: it starts, recovers or stops. https://www.postgresql.org/docs/18/errcodes-appendix.html */
const isPutOff = (error: Error) => error instanceof DatabaseError && error.code === '57P03';
