import { hash } from 'node:crypto';
import { Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ClientBase, escapeIdentifier } from 'pg';
import { readCopy } from '../postgres/read-copy.ts';
import { writeCopy } from '../postgres/write-copy.ts';
import type { MovedTable } from './list-tables.ts';

/** Equal for two tables with the same rows, in any order. */
interface TableContent {
  rows: number;
  /** The sum of a hash of each row. */
  sum: bigint;
}

/** So that the same row is the same text on every server. `local`: a pooler shares the session with others. */
export const textSettings = `set local time zone 'UTC'; set local datestyle to 'ISO'; set local intervalstyle to 'iso_8601';
  set local extra_float_digits to 1; set local bytea_output to 'hex';
  set local statement_timeout to 0; set local idle_in_transaction_session_timeout to 0`;

/** Copies all rows, and returns what the source holds. */
export async function copyTable(
  { from, to, signal }: { from: ClientBase; to: ClientBase; signal: AbortSignal },
  { source, target }: { source: MovedTable; target: MovedTable },
): Promise<TableContent> {
  const columns = source.columns.map(escapeIdentifier).join(', ');
  const content = { rows: 0, sum: 0n };
  const count = new Transform({
    transform(row: Buffer, _encoding, done) {
      add(content, row);
      done(null, row);
    },
  });
  const write = writeCopy(to, `copy ${target.path} (${columns}) from stdin`);
  await pipeline(readCopy(from, toRead(source, columns)), count, write, { signal });
  return content;
}

export async function readContent(
  client: ClientBase,
  table: MovedTable,
  { columns, signal }: { columns: readonly string[]; signal: AbortSignal },
): Promise<TableContent> {
  const content = { rows: 0, sum: 0n };
  const count = new Writable({
    write(row: Buffer, _encoding, done) {
      add(content, row);
      done();
    },
  });
  await pipeline(readCopy(client, toRead(table, columns.map(escapeIdentifier).join(', '))), count, { signal });
  return content;
}

// A partitioned table can only be read by a query.
const toRead = ({ path }: MovedTable, columns: string) => `copy (select ${columns} from ${path}) to stdout`;

function add(content: TableContent, row: Buffer): void {
  content.rows += 1;
  content.sum = BigInt.asUintN(64, content.sum + hash('sha256', row, 'buffer').readBigUInt64BE());
}
