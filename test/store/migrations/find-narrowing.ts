import type { Column, Rule, Schema } from './read-schema.ts';

/** What may fail after the migration in a process of the previous version, one line each. */
export function findNarrowing(before: Schema, after: Schema): string[] {
  const oldTables = new Set(before.columns.map(({ table }) => table));
  const isOld = (table: string, name: string) => find(before.columns, table, name) !== undefined;
  return [
    ...before.columns.flatMap((column) => judgeColumn(column, find(after.columns, column.table, column.name))),
    ...after.columns
      .filter(({ table, name }) => oldTables.has(table) && !isOld(table, name))
      .filter((column) => column.isRequired && column.default === null)
      .map(({ table, name }) => `${table}.${name} is new, required, and has no default`),
    // `on conflict` needs the index that it names.
    ...before.rules
      .filter((rule) => rule.kind === 'unique' && !after.rules.some((other) => isSame(rule, other)))
      .map((rule) => `${rule.table} is no longer unique${rule.text}`),
    ...after.rules
      .filter((rule) => oldTables.has(rule.table) && rule.columns.every((name) => isOld(rule.table, name)))
      .filter((rule) => !before.rules.some((other) => isSame(rule, other) || isWider(rule, other)))
      .map((rule) => `${rule.table} has a new rule: ${rule.kind} ${rule.text}`),
  ];
}

function judgeColumn(old: Column, kept: Column | undefined): string[] {
  const name = `${old.table}.${old.name}`;
  if (!kept) return [`${name} is gone`];
  return [
    ...(kept.type === old.type ? [] : [`${name} was ${old.type} and is ${kept.type}`]),
    ...(kept.isRequired && !old.isRequired ? [`${name} is required now`] : []),
    ...(old.default !== null && kept.default === null ? [`${name} has lost its default`] : []),
  ];
}

const find = (columns: Column[], table: string, name: string) =>
  columns.find((column) => column.table === table && column.name === name);

const isSame = (one: Rule, other: Rule) =>
  one.table === other.table && one.kind === other.kind && one.text === other.text;

/** Whether the new check only allows more values than the old one. */
function isWider(rule: Rule, old: Rule): boolean {
  const [now, then] = [splitLiterals(rule.text), splitLiterals(old.text)];
  const isSameForm = rule.table === old.table && rule.kind === 'check' && now.form === then.form;
  return isSameForm && then.literals.every((literal) => now.literals.includes(literal));
}

/** The quoted values of a check, and the rest of it. Only of `in (…)`: elsewhere more values need not let more pass. */
export function splitLiterals(text: string): { literals: string[]; form: string } {
  const list = /= ANY \(\(?ARRAY\[(.*?)\]/.exec(text)?.[1];
  if (list === undefined) return { literals: [], form: text };
  return {
    literals: [...list.matchAll(/'((?:[^']|'')*)'/g)].map(([, value = '']) => value),
    form: text.replace(list, ''),
  };
}
