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
import { ConnectionLost, readOnly } from './availability.ts';
import { PlanLost, sendStatement } from './send-statement.ts';

const databaseCloseMs = 2_000;

interface PooledConnection extends DatabaseConnection {
  /** Sends BEGIN. The next statement follows without waiting for its answer. */
  begin(settings: TransactionSettings): void;
  release(): void;
  /** Closes the connection, even during a statement. That statement and later ones throw `reason`. */
  end(reason: unknown): void;
}

/** The server cannot notice that a client machine is frozen, whose transaction holds locks. */
const limitIdleTime = `set local idle_in_transaction_session_timeout = '5s'`;
/** The server cannot notice that the caller gave up. */
const limitStatementTime = `set local statement_timeout = '5s'`;

/**
 * PostgreSQL for kysely. A connection without an answer, or after an abort of its `signal`, is closed: pg would reuse it with the statement
 * still running, and an open transaction must not reach its COMMIT. A broken, refused or read-only connection throws `ConnectionLost`,
 * because pg’s own errors cannot be told apart.
 */
export function createPostgresDialect({ pool }: { pool: pg.Pool }): Dialect {
  const postgres = new PostgresDialect({ pool });
  const connectionsInUse = new Map<DatabaseConnection, PooledConnection>();
  const plans = { areKept: true };
  return {
    createAdapter: () => postgres.createAdapter(),
    createIntrospector: (database) => postgres.createIntrospector(database),
    createQueryCompiler: () => postgres.createQueryCompiler(),
    createDriver(): Driver {
      const commands = postgres.createDriver();
      return {
        init: async () => {},
        async acquireConnection({ signal }: AbortableOperationOptions = {}) {
          const connection = await takeConnection({ pool, plans }, signal);
          connectionsInUse.set(connection, connection);
          return connection;
        },
        async beginTransaction(connection, settings) {
          connectionsInUse.get(connection)?.begin(settings);
        },
        commitTransaction: (connection) => commands.commitTransaction(connection),
        async rollbackTransaction(connection) {
          // Kysely would throw the failure in place of the original error; the server rolls back a lost connection.
          await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => {});
        },
        async releaseConnection(connection) {
          connectionsInUse.get(connection)?.release();
          connectionsInUse.delete(connection);
        },
        async destroy() {
          await Promise.race([pool.end(), delay(databaseCloseMs, undefined, { ref: false })]);
          // A pending connection may take ten seconds to fail.
          for (const connection of connectionsInUse.values())
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

/** An abort returns an unusable connection at once; kysely, which sees the same signal, releases it. */
async function takeConnection(
  { pool, plans }: { pool: pg.Pool; plans: { areKept: boolean } },
  signal: AbortSignal | undefined,
): Promise<PooledConnection> {
  const { promise: aborted, resolve } = Promise.withResolvers<'aborted'>();
  const abort = () => resolve('aborted');
  signal?.addEventListener('abort', abort, { once: true });
  // Also if the server refuses: starting, stopping, too many connections, no such database.
  const connecting = pool.connect().catch((cause: unknown) => {
    throw new ConnectionLost('could not connect to the database', { cause });
  });
  try {
    const client = await Promise.race([connecting, aborted]);
    if (client !== 'aborted') return wrapClient(client, { signal, plans, answerWithinMs: pool.options.query_timeout });
  } finally {
    signal?.removeEventListener('abort', abort);
  }
  connecting.then(
    (client) => client.release(),
    () => {},
  );
  return wrapClient(undefined, { signal, plans });
}

function wrapClient(
  client: pg.PoolClient | undefined,
  options: { signal: AbortSignal | undefined; plans: { areKept: boolean }; answerWithinMs?: number | undefined },
): PooledConnection {
  const { signal, plans, answerWithinMs } = options;
  let usableClient = client;
  let endedBy: unknown;
  const end = (reason: unknown) => {
    endedBy ??= reason;
    const ending = usableClient;
    usableClient = undefined;
    ending?.release(true);
    // On a broken network, a clean close would never end.
    ending?.connection.stream.destroy();
  };
  const abort = () => end(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  // Emitted before pg rejects the statement, and also without a statement.
  const lose = (cause: unknown) => end(new ConnectionLost('the connection to the database was lost', { cause }));
  client?.on('error', lose);
  const giveUp = () => end(new ConnectionLost(`the database gave no answer within ${answerWithinMs} ms`));
  let beginning: Promise<unknown> | undefined;
  return {
    end,
    begin(settings) {
      // A caller waits: the server limits the statements of its transactions.
      const limits = signal ? [limitIdleTime, limitStatementTime] : [limitIdleTime];
      beginning = usableClient?.query([writeBegin(settings), ...limits].join('; '));
      // Whatever follows it must not run outside of a transaction.
      beginning?.catch(end);
    },
    release() {
      signal?.removeEventListener('abort', abort);
      client?.off('error', lose);
      usableClient?.release();
      usableClient = undefined;
    },
    async executeQuery<Row>({ sql: statement, parameters: values }: CompiledQuery) {
      if (!usableClient) throw endedBy ?? new Error('this connection to the database was released');
      // Starts before pg’s own timer of the same length, whose error is ambiguous.
      const answerTimer = answerWithinMs && setTimeout(giveUp, answerWithinMs);
      const sent = { statement, values, isAlone: !beginning && usableClient.getTransactionStatus() === 'I' };
      try {
        const [{ command, rowCount, rows }] = await Promise.all([
          sendStatement<Row & pg.QueryResultRow>(usableClient, sent, plans),
          beginning,
        ]);
        // Kysely’s driver reads from the result whether a COMMIT committed or rolled back.
        if (command === 'COMMIT' || command === 'ROLLBACK') return { rows: [{ command } as Row] };
        const isChange = /^(INSERT|UPDATE|DELETE|MERGE)$/.test(command ?? '');
        return { ...(isChange && { numAffectedRows: BigInt(rowCount ?? 0) }), rows: rows ?? [] };
      } catch (error) {
        // A standby or a full server may stay read-only; the next connection may reach another server.
        if (error instanceof pg.DatabaseError && error.code === readOnly)
          end(new ConnectionLost('the database takes no writes', { cause: error }));
        else if (error instanceof pg.DatabaseError || error instanceof PlanLost) throw error;
        // No error of the server: the next answer on this connection may belong to this statement.
        else end(error);
        throw endedBy;
      } finally {
        beginning = undefined;
        clearTimeout(answerTimer);
      }
    },
    // biome-ignore lint/correctness/useYield: the service never reads by a cursor.
    async *streamQuery() {
      throw new Error('reading by a cursor is not supported');
    },
  };
}
