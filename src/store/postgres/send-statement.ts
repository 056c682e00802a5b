import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';

const mark = '/* planned once */';

/** For the beginning of a statement that runs often: each connection parses and plans it once, if it is the first of its transaction. */
export const plannedOnce = sql.raw(mark);

interface Message {
  /** Statements that begin the transaction. */
  before: readonly string[];
  statement: string;
  values: readonly unknown[];
}

/**
 * Sends `statement` in one message with the statements before it, and returns its result. If one fails, the server executes none after it, so
 * nothing happens outside of a transaction that could not begin. `plans` belongs to all connections of a pool.
 */
export async function sendStatement<Row extends pg.QueryResultRow>(
  client: pg.PoolClient,
  message: Message,
  plans: { areKept: boolean },
): Promise<pg.QueryResult<Row>> {
  const { before, statement } = message;
  const isKept = plans.areKept && statement.startsWith(mark) && client.getTransactionStatus() === 'I';
  if (!isKept) return send<Row>(client, message);
  try {
    return await send<Row>(client, message, nameStatement(statement));
  } catch (error) {
    if (!isUnknownPlan(error)) throw error;
    plans.areKept = false;
    if (before.length > 0) await client.query('rollback');
    return send<Row>(client, message);
  }
}

async function send<Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  { before, statement: text, values }: Message,
  name?: string,
): Promise<pg.QueryResult<Row>> {
  // Without values, one message may hold several statements.
  if (values.length === 0) return takeLast(await client.query<Row>([...before, text].join('; ')));
  const config = { text, values: [...values], ...(name && { name }) };
  if (before.length === 0) return client.query<Row>(config);
  const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult<Row>>();
  const query = new pg.Query<Row>(config, (error, results) => (error ? reject(error) : resolve(takeLast(results))));
  const { submit } = query;
  query.submit = (connection) => {
    connection.stream.cork();
    for (const beginning of before) {
      connection.parse({ name: '', text: beginning, types: [] }, true);
      connection.bind({}, true);
      connection.execute({}, true);
    }
    const refused: unknown = Reflect.apply(submit, query, [connection]);
    connection.stream.uncork();
    return refused;
  };
  client.query(query);
  return promise;
}

/** pg returns a list for several statements, which its types do not say. */
const takeLast = <Row extends pg.QueryResultRow>(results: pg.QueryResult<Row>): pg.QueryResult<Row> =>
  Array.isArray(results) ? results.at(-1) : results;

const names = new Map<string, string>();

/** By its text: another version of the service may share a server process through a pooler. */
function nameStatement(statement: string): string {
  const name =
    names.get(statement) ?? `pagewright_${createHash('sha256').update(statement).digest('hex').slice(0, 40)}`;
  names.set(statement, name);
  return name;
}

/**
 * A pooler has given the connection another server process (invalid_sql_statement_name, duplicate_prepared_statement), or a migration has added
 * a column that the statement returns (feature_not_supported).
 */
const isUnknownPlan = (error: unknown) =>
  error instanceof pg.DatabaseError && ['26000', '42P05', '0A000'].includes(error.code ?? '');
