import { areEqual, type Data, isMap } from '../../docs/formats/data.ts';
import { readStrictJson } from '../../docs/formats/json.ts';
import { readToml } from '../../docs/formats/toml.ts';
import type { Container, DataFile } from '../../docs/frameworks/edits/data-files.ts';
import { createEntryCheck } from './entries.ts';

const parsers = { json: readStrictJson, toml: (text: string) => readToml(text).value };

/** Returns what is wrong, for the model. */
export function compareJsonOrToml(
  before: string | undefined,
  after: string,
  { file, format }: { file: DataFile; format: keyof typeof parsers },
): string | undefined {
  const parse = parsers[format];
  const name = `strict ${format.toUpperCase()} with each key once`;
  const old = before === undefined ? undefined : parse(before);
  if (before !== undefined && old === undefined)
    return `the file of the repository is not ${name}, so only a person can change it`;
  if (after.startsWith(byteOrderMark) && !before?.startsWith(byteOrderMark))
    return 'write it without a byte order mark, which strict parsers refuse';
  const value = parse(after);
  return value === undefined ? `it is not ${name}` : compareValues(old, value, file);
}

const byteOrderMark = '\uFEFF';

/** Undefined when the two differ in the containers only, and what these gain is data. */
function compareValues(before: Data | undefined, after: Data, { containers, what }: DataFile): string | undefined {
  const cutAll = (value: Data | undefined) => containers.reduce<Data | undefined>(withoutContainer, value);
  if (!areEqual(cutAll(before), cutAll(after))) return `only ${what} may change, and something else would differ`;
  for (const container of containers) {
    const bad = createEntryCheck(findContainer(before, container.at), container)(findContainer(after, container.at));
    if (bad !== undefined) return bad;
  }
  return undefined;
}

/** The root of a file that is one container compares as null. */
function withoutContainer(value: Data | undefined, { at: [key, ...rest] }: Pick<Container, 'at'>): Data | undefined {
  if (key === undefined) return null;
  if (!isMap(value) || !Object.hasOwn(value, key)) return value;
  const { [key]: child = null, ...others } = value;
  return rest.length === 0 ? others : { ...others, [key]: withoutContainer(child, { at: rest }) ?? null };
}

function findContainer(value: Data | undefined, at: readonly string[]): Data {
  const [key, ...rest] = at;
  if (key === undefined || value === undefined) return value ?? null;
  return isMap(value) && Object.hasOwn(value, key) ? findContainer(value[key], rest) : null;
}
