import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';

const mark = '/* planned once */';

/** For the beginning of a statement that runs often: each connection parses and plans it once, if it stands outside of a transaction. */
export const plannedOnce = sql.raw(mark);

const repeatedMark = '/* planned once, repeated */';

/** The same, also in a transaction, which `transact` begins. */
export const plannedOnceRepeated = sql.raw(repeatedMark);

/** The connection lacks the plan, which ended the transaction. No later statement asks for a plan. */
export class PlanLost extends Error {
  override readonly name = 'PlanLost';
}

/** Sends one statement; without values, it may hold several. `isAlone`: outside of a transaction. `plans` belongs to all connections of a pool. */
export async function sendStatement<Row extends pg.QueryResultRow>(
  client: pg.PoolClient,
  { statement: text, values: given, isAlone }: { statement: string; values: readonly unknown[]; isAlone: boolean },
  plans: { areKept: boolean },
): Promise<pg.QueryResult<Row>> {
  const values = given.length > 0 ? [...given] : undefined;
  const isKept = text.startsWith(repeatedMark) || (text.startsWith(mark) && isAlone);
  if (!isKept || !plans.areKept) return client.query<Row>(text, values);
  try {
    return await client.query<Row>({ name: nameStatement(text), text, ...(values && { values }) });
  } catch (error) {
    if (!isUnknownPlan(error)) throw error;
    plans.areKept = false;
    if (!isAlone) throw new PlanLost('a plan was lost in a transaction', { cause: error });
    return client.query<Row>(text, values);
  }
}

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
