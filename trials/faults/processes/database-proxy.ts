import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Connection } from '../../../src/store/postgres/database.ts';

/** A network between a service and its database that a trial can break. It passes everything at first. */
export interface DatabaseProxy extends AsyncDisposable {
  databaseUrl: string;
  /** Passes everything again, the delayed chunks first. */
  pass(): Promise<void>;
  /** Ends all connections and refuses new ones. */
  cut(): Promise<void>;
  /** Keeps connections open and accepts new ones, but carries no data and no close. */
  halfOpen(): void;
  /** Delays each chunk by so many milliseconds, in both directions. */
  delay(delayMs: number): void;
  /** Calls `act` in place of carrying the n-th chunk from now on, in either direction. Returns a function that takes this back. */
  stopAt(nth: number, act: () => void): () => void;
}

export async function startDatabaseProxy({ target }: { target: Connection }): Promise<DatabaseProxy> {
  const { host, port, user = '', password, database = '' } = new pg.Client(target);
  const upstream = host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port };
  const sockets = new Set<Socket>();
  const stopping = new AbortController();
  let gate = createGate();
  gate.open();
  let delayMs = 0;
  let stop: { left: number; act: () => void } | undefined;

  /** Whether this chunk is the one that is not carried. */
  function isStopped(): boolean {
    if (!stop) return false;
    stop.left -= 1;
    if (stop.left > 0) return false;
    stop.act();
    stop = undefined;
    return true;
  }

  const server = createServer((client) => {
    const far = createConnection(upstream);
    carry(client, far);
    carry(far, client);
  });
  const listen = (port: number) => once(server.listen(port, '127.0.0.1'), 'listening');
  await listen(0);
  const { port: ownPort } = server.address() as AddressInfo;
  const url = new URL(`postgresql://127.0.0.1:${ownPort}/${database}?sslmode=disable`);
  url.username = user;
  url.password = typeof password === 'string' ? password : '';

  /** One direction: the chunks in order, then the end. */
  function carry(from: Socket, to: Socket): void {
    sockets.add(from.setNoDelay());
    let previous = Promise.resolve();
    const pass = (act: () => void) => {
      const due = performance.now() + delayMs;
      previous = previous.then(async () => {
        await gate.passed;
        const remainingMs = due - performance.now();
        if (remainingMs > 0) await sleep(remainingMs, undefined, { signal: stopping.signal }).catch(() => {});
        if (!to.destroyed) act();
      });
    };
    from.on('data', (chunk) => isStopped() || pass(() => to.write(chunk)));
    // 'close' follows and reports it.
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      pass(() => to.destroySoon());
    });
  }

  function endAll(): void {
    for (const socket of sockets) socket.destroy();
  }

  async function cut(): Promise<void> {
    const closed = server.listening ? once(server.close(), 'close') : undefined;
    endAll();
    gate.open();
    await closed;
  }

  return {
    databaseUrl: url.href,
    async pass() {
      delayMs = 0;
      if (!server.listening) await listen(ownPort);
      gate.open();
    },
    cut,
    halfOpen() {
      // A closed socket must not leave delayed chunks behind.
      if (gate.isOpen()) gate = createGate();
    },
    delay(wantedMs) {
      delayMs = wantedMs;
      gate.open();
    },
    stopAt(nth, act) {
      stop = { left: nth, act };
      return () => {
        stop = undefined;
      };
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await cut();
    },
  };
}

function createGate() {
  const { promise: passed, resolve } = Promise.withResolvers<void>();
  let isOpen = false;
  const open = () => {
    isOpen = true;
    resolve();
  };
  return { passed, open, isOpen: () => isOpen };
}
