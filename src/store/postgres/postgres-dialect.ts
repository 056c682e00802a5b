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

/** A connection in use. */
interface Lent extends DatabaseConnection {
  /** Whether the server also limits the statements of its transactions, because a caller waits for them. */
  isAwaited: boolean;
  giveBack(): void;
  /** Closes it, even during a statement. That statement and later ones throw `reason`. */
  end(reason: unknown): void;
}

/**
 * The server’s own limit for every transaction: it cannot notice that a client machine is gone or frozen, and must not hold its locks until
 * it does.
 */
const bounded = `set local idle_in_transaction_session_timeout = '5s'`;
/** The same for a statement that a caller waits for: the server cannot notice that the caller gave up. */
const awaited = `set local statement_timeout = '5s'`;

/**
 * PostgreSQL for kysely, strict about broken connections:
 * - a connection on which a statement got no answer is closed and never reused; pg’s own time-out would return it to the pool with the
 * statement still running;
 * - an abort of `database.connection().execute(work, { signal })` closes the connection with its open transaction: no statement follows on
 * it, in particular no COMMIT;
 * - a broken or refused connection throws `ConnectionLost`, because pg’s own errors cannot be told apart; so does a connection to a
 * read-only server;
 * - a failed rollback throws nothing: kysely would throw it in place of the original error, and the server rolls back a lost connection.
 * `destroy` takes two seconds at most, then closes connections in use.
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
          // In one message, which saves a round trip.
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
          // A pending connection is left alone: it may take ten seconds to fail.
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

/** Takes a connection from the pool. An abort returns an unusable one at once; kysely, which sees the same signal, releases it. */
async function lend(pool: pg.Pool, signal: AbortSignal | undefined): Promise<Lent> {
  const { promise: aborted, resolve } = Promise.withResolvers<'aborted'>();
  const abort = () => resolve('aborted');
  signal?.addEventListener('abort', abort, { once: true });
  // Includes refusals of the server: starting, stopping, too many connections, no such database.
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
    // Without waiting: on a broken network no goodbye arrives.
    ending?.connection.stream.destroy();
  };
  const abort = () => end(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  // Emitted before pg rejects the statement, and also without a statement.
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
      // Starts before pg’s own timer of the same length, whose error is ambiguous.
      const silence = answerWithinMs && setTimeout(giveUp, answerWithinMs);
      try {
        // Without parameters, one message may hold several statements.
        const values = parameters.length > 0 ? [...parameters] : undefined;
        const { command, rowCount, rows } = await held.query<Row & pg.QueryResultRow>(sql, values);
        // Kysely’s driver reads from the result whether a COMMIT committed or rolled back.
        if (command === 'COMMIT' || command === 'ROLLBACK') return { rows: [{ command } as Row] };
        const isChange = /^(INSERT|UPDATE|DELETE|MERGE)$/.test(command ?? '');
        return { ...(isChange && { numAffectedRows: BigInt(rowCount ?? 0) }), rows: rows ?? [] };
      } catch (error) {
        // A standby or a full server may stay read-only; the next connection may reach another server.
        if (error instanceof pg.DatabaseError && error.code === readOnly)
          end(new ConnectionLost('the database takes no writes', { cause: error }));
        else if (error instanceof pg.DatabaseError) throw error;
        // No error of the server: the next answer on this connection may belong to this statement.
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
