import { setTimeout as delay } from 'node:timers/promises';
import {
  type AbortableOperationOptions,
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresDialect,
  type TransactionSettings,
} from 'kysely';
import pg from 'pg';
import { realTiming } from '../../timing.ts';
import { ConnectionLost, readOnly } from './availability.ts';

/** A connection that is lent out, and how it is to be given back. */
interface Lent extends DatabaseConnection {
  /** Whether the statements of its transactions are bounded on the server as well, because somebody waits for them. */
  isAwaited: boolean;
  giveBack(): void;
  /** Ends it, whatever is going on: that, and whatever is asked of it later, throws `reason`. */
  end(reason: unknown): void;
}

/**
 * What the server bounds by itself of every transaction: of a machine that is gone or frozen it does not hear, and must not hold its locks
 * until it does, a job's above all. None of ours waits for anything but the database.
 */
const bounded = `set local idle_in_transaction_session_timeout = '5s'`;
/** The same of one that somebody waits for, which the server does not hear was given up. */
const awaited = `set local statement_timeout = '5s'`;

/**
 * PostgreSQL for kysely, hard on connections that fail: one on which a statement got no answer is ended and never lent again (pg's own
 * time-out would leave it in the pool, with that statement still before all others), and one that was taken with a signal
 * (`database.connection().execute(work, { signal })`) is ended when that aborts, with whatever transaction is open on it: no statement
 * is sent on it afterwards, no COMMIT above all. Where it is the connection that failed, or none could be made, `ConnectionLost` is thrown:
 * pg's own errors have nothing to tell that by. One to a server that takes no writes has failed, too. A rollback that fails throws nothing:
 * kysely would throw that in place of the error that made it necessary, and the server rolls back whatever loses its connection.
 * Destroying it takes two seconds at the most, and ends what is still lent then.
 */
export function createPostgresDialect({ pool }: { pool: pg.Pool }): Dialect {
  const postgres = new PostgresDialect({ pool });
  const lent = new Map<DatabaseConnection, Lent>();
  return {
    createAdapter: () => postgres.createAdapter(),
    createIntrospector: (database) => postgres.createIntrospector(database),
    createQueryCompiler: () => postgres.createQueryCompiler(),
    createDriver(): Driver {
      const commands = postgres.createDriver();
      return {
        init: async () => {},
        async acquireConnection({ signal }: AbortableOperationOptions = {}) {
          const connection = await lend(pool, signal);
          lent.set(connection, connection);
          return connection;
        },
        async beginTransaction(connection, settings) {
          const bounds = lent.get(connection)?.isAwaited ? [bounded, awaited] : [bounded];
          // At once, so that they cost no round trip.
          await connection.executeQuery(CompiledQuery.raw([writeBegin(settings), ...bounds].join('; ')));
        },
        commitTransaction: (connection) => commands.commitTransaction(connection),
        async rollbackTransaction(connection) {
          await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => {});
        },
        async releaseConnection(connection) {
          lent.get(connection)?.giveBack();
          lent.delete(connection);
        },
        async destroy() {
          await Promise.race([pool.end(), delay(realTiming.shutdown.databaseGoodbyeMs, undefined, { ref: false })]);
          // One that is only being made is left to itself: it may take ten seconds to find out that it cannot be.
          for (const connection of lent.values())
            connection.end(new ConnectionLost('the pool of connections was closed'));
        },
      };
    },
  };
}

function writeBegin({ isolationLevel, accessMode }: TransactionSettings): string {
  const isolation = isolationLevel ? ` isolation level ${isolationLevel}` : '';
  return `start transaction${isolation}${accessMode ? ` ${accessMode}` : ''}`;
}

/** Takes a connection from the pool. An abort answers at once with one that can do nothing: kysely, which hears it too, gives it back. */
async function lend(pool: pg.Pool, signal: AbortSignal | undefined): Promise<Lent> {
  const { promise: aborted, resolve } = Promise.withResolvers<'aborted'>();
  const abort = () => resolve('aborted');
  signal?.addEventListener('abort', abort, { once: true });
  // Also where the server itself says why not: that it starts, stops, is full, or takes no connections to this database.
  const connecting = pool.connect().catch((cause: unknown) => {
    throw new ConnectionLost('could not connect to the database', { cause });
  });
  try {
    const client = await Promise.race([connecting, aborted]);
    if (client !== 'aborted') return createLent(client, { signal, answerWithinMs: pool.options.query_timeout });
  } finally {
    signal?.removeEventListener('abort', abort);
  }
  connecting.then(
    (client) => client.release(),
    () => {},
  );
  return createLent(undefined, { signal });
}

function createLent(
  client: pg.PoolClient | undefined,
  { signal, answerWithinMs }: { signal: AbortSignal | undefined; answerWithinMs?: number | undefined },
): Lent {
  let held = client;
  let endedBy: unknown;
  const end = (reason: unknown) => {
    endedBy ??= reason;
    const ending = held;
    held = undefined;
    ending?.release(true);
    // Nor is it waited for: where the network is gone, nobody says goodbye.
    ending?.connection.stream.destroy();
  };
  const abort = () => end(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  // Comes before pg rejects what was asked, and also while nothing is asked.
  const lose = (cause: unknown) => end(new ConnectionLost('the connection to the database was lost', { cause }));
  client?.on('error', lose);
  const giveUp = () => end(new ConnectionLost(`the database gave no answer within ${answerWithinMs} ms`));
  return {
    isAwaited: signal !== undefined,
    end,
    giveBack() {
      signal?.removeEventListener('abort', abort);
      client?.off('error', lose);
      held?.release();
      held = undefined;
    },
    async executeQuery<Row>({ sql, parameters }: CompiledQuery) {
      if (!held) throw endedBy ?? new Error('this connection to the database was given back');
      // Begun before pg's own of the same length, whose error is like any other.
      const silence = answerWithinMs && setTimeout(giveUp, answerWithinMs);
      try {
        // Without parameters several statements may be sent at once.
        const values = parameters.length > 0 ? [...parameters] : undefined;
        const { command, rowCount, rows } = await held.query<Row & pg.QueryResultRow>(sql, values);
        // Kysely's own driver reads of a COMMIT whether it was one, or the server rolled back.
        if (command === 'COMMIT' || command === 'ROLLBACK') return { rows: [{ command } as Row] };
        const isChange = /^(INSERT|UPDATE|DELETE|MERGE)$/.test(command ?? '');
        return { ...(isChange && { numAffectedRows: BigInt(rowCount ?? 0) }), rows: rows ?? [] };
      } catch (error) {
        // Where it leads to a standby, or to a server without room, that may be so for as long as it lives; the next one may lead elsewhere.
        if (error instanceof pg.DatabaseError && error.code === readOnly)
          end(new ConnectionLost('the database takes no writes', { cause: error }));
        else if (error instanceof pg.DatabaseError) throw error;
        // Anything but the server's own word: what this connection answers next may be the answer to this.
        else end(error);
        throw endedBy;
      } finally {
        clearTimeout(silence);
      }
    },
    // biome-ignore lint/correctness/useYield: nothing of ours reads by a cursor.
    async *streamQuery() {
      throw new Error('there is no reading by a cursor');
    },
  };
}
