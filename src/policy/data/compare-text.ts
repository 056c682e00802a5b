import type { Data } from '../../docs/formats/data.ts';
import type { DataFile } from '../../docs/frameworks/edits/data-files.ts';
import { createValueComparison } from './compare-values.ts';
import { createPartReader } from './json-parts.ts';
import { parseJson } from './parse-data.ts';
import { createTableReader } from './toml-tables.ts';

/** `parseToml`, in a thread for a large text. */
export type ParseToml = (text: string) => Promise<Data | undefined>;

const notStrict = (format: string) => `it is not strict ${format} with each key once`;
const onlyPeople = (format: string) => () =>
  `the file of the repository is not strict ${format} with each key once, so only a person can change it`;

/** Returns what is wrong, for the model. An edit within one list or object is compared without the rest of the text. */
export function createJsonComparison(
  before: string | undefined,
  file: DataFile,
): (after: string) => string | undefined {
  const old = before === undefined ? undefined : parseJson(before);
  if (before !== undefined && old === undefined) return onlyPeople('JSON');
  const { compare, comparePart } = createValueComparison(old, file);
  const readPart = before === undefined ? undefined : createPartReader(before);
  return (after) => {
    const part = readPart?.(after);
    if (part !== undefined && comparePart(part) === undefined) return undefined;
    const value = parseJson(after);
    return findNewMark(before, after) ?? (value === undefined ? notStrict('JSON') : compare(value));
  };
}

/** An edit of whole tables is compared without the rest of the text, which stays as it is. */
export async function createTomlComparison(
  before: string | undefined,
  file: DataFile,
  parse: ParseToml,
): Promise<(after: string) => Promise<string | undefined>> {
  const old = before === undefined ? undefined : await parse(before);
  if (before !== undefined && old === undefined) return async () => onlyPeople('TOML')();
  const { compare, compareParts } = createValueComparison(old, file);
  const readTables = before === undefined || old === undefined ? undefined : createTableReader(before, old);
  return async (after) => {
    const tables = readTables?.(after);
    if (tables !== undefined && compareParts(tables) === undefined) return undefined;
    const value = await parse(after);
    return findNewMark(before, after) ?? (value === undefined ? notStrict('TOML') : compare(value));
  };
}

const byteOrderMark = '\uFEFF';

const findNewMark = (before: string | undefined, after: string): string | undefined =>
  after.startsWith(byteOrderMark) && !before?.startsWith(byteOrderMark)
    ? 'write it without a byte order mark, which strict parsers refuse'
    : undefined;
