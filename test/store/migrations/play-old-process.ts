import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../../src/store/postgres/database.ts';
import { splitLiterals } from './find-narrowing.ts';
import type { Column, Schema } from './read-schema.ts';

/** `generated always as identity`: https://www.postgresql.org/docs/current/catalog-pg-attribute.html */
const alwaysGenerated = 'a';

/**
 * Writes as a process that knows only this schema may: a row of each table, then each of its columns. Repeats until the signal aborts, and
 * throws the first error. Returns the number of rounds.
 */
export async function playOldProcess(database: Database, schema: Schema, signal: AbortSignal): Promise<number> {
  let rounds = 0;
  for (; !signal.aborted; rounds += 1) {
    await database.transaction().execute(async (tx) => {
      const rows = new Map<string, Record<string, unknown>>();
      for (const table of sortByReferences(schema)) {
        const columns = schema.columns.filter((column) => column.table === table);
        const wanted = columns.filter((column) => column.isRequired && column.default === null);
        const row = Object.fromEntries(wanted.map((column) => [column.name, makeValue(column, schema, rows)]));
        const names = sql.join(wanted.map(({ name }) => sql.ref(name)));
        const values = sql.join(wanted.map(({ name }) => row[name]));
        const made = await sql<Record<string, unknown>>`
          insert into ${sql.table(table)} (${names}) values (${values}) returning *`.execute(tx);
        rows.set(table, made.rows[0] ?? {});
        const changes = columns
          .filter((column) => column.default !== alwaysGenerated)
          .map(({ name }) => sql`${sql.ref(name)} = ${sql.ref(name)}`);
        await sql`update ${sql.table(table)} set ${sql.join(changes)} where ${sql.join(
          wanted.map(({ name, type }) => (type === 'json' ? sql`true` : sql`${sql.ref(name)} = ${row[name]}`)),
          sql` and `,
        )}`.execute(tx);
      }
    });
  }
  return rounds;
}

/** Orders each table after the tables that it references. */
function sortByReferences({ columns, rules }: Schema): string[] {
  const sorted = new Set<string>();
  const add = (table: string) => {
    for (const rule of rules) {
      if (rule.table === table && rule.references && rule.references !== table) add(rule.references);
    }
    sorted.add(table);
  };
  for (const { table } of columns) add(table);
  return [...sorted];
}

function makeValue(
  { table, name, type }: Column,
  { rules }: Schema,
  rows: Map<string, Record<string, unknown>>,
): unknown {
  const own = rules.filter((rule) => rule.table === table && rule.columns.includes(name));
  const reference = own.find((rule) => rule.references !== null && rule.columns.length === 1);
  if (reference?.references) {
    const target = /REFERENCES \w+\((\w+)\)/.exec(reference.text)?.[1] ?? name;
    return rows.get(reference.references)?.[target];
  }
  const [literal] = own.flatMap(({ text }) => splitLiterals(text).literals);
  if (literal !== undefined) return literal;
  if (/^(integer|bigint|smallint)$/.test(type)) return randomBytes(4).readUInt32BE() >>> 2;
  if (type === 'boolean') return false;
  if (type === 'json') return '{}';
  if (type === 'bytea') return randomBytes(32);
  if (type === 'date' || type.startsWith('timestamp')) return new Date();
  return randomUUID();
}
