import { areEqual, type Data, isMap } from '../../docs/formats/data.ts';
import { readStrictJson } from '../../docs/formats/json.ts';
import { readToml } from '../../docs/formats/toml.ts';
import type { Container, DataFile } from '../../docs/frameworks/edits/data-files.ts';
import { dataFiles } from '../../docs/frameworks/frameworks.ts';
import { compareDictionaries, compareLines, findBadRedirect, findBadSummaryLine } from './compare-lines.ts';
import { compareWholeYaml, compareYaml } from './compare-yaml.ts';
import { createEntryCheck } from './entries.ts';
import { listSides } from './list-sides.ts';

export interface DataToCompare {
  /** Its place in `dataFiles`. */
  file: number;
  /** Undefined: the base has no such file. */
  before: string | undefined;
  after: string;
}

/**
 * Undefined if two texts of a file differ only in the data of its containers, and all new data is allowed; otherwise why not, for the model.
 * A base with conflict markers is two texts: one of them has to be like this.
 */
export function compareData({ file, before, after }: DataToCompare): string | undefined {
  const data = dataFiles[file];
  if (data === undefined) throw new Error(`there is no data file ${file}`);
  const sides = before === undefined ? [undefined] : listSides(before);
  try {
    const found = sides.map((side) => compareSide(side, after, data));
    return found.includes(undefined) ? undefined : found[0];
  } catch (error) {
    if (error instanceof RangeError) return 'it nests too deeply';
    throw error;
  }
}

function compareSide(before: string | undefined, after: string, data: DataFile): string | undefined {
  switch (data.format) {
    case 'json':
    case 'toml':
      return compareJsonOrToml(before, after, { file: data, format: data.format });
    case 'yaml': {
      const [first] = data.containers;
      return first?.at.length === 0 ? compareWholeYaml(before, after, first) : compareYaml(before ?? '', after, data);
    }
    case 'redirects':
      return compareLines(before ?? '', after, findBadRedirect);
    case 'summary':
      return compareLines(before ?? '', after, findBadSummaryLine);
    case 'python':
      return compareDictionaries(before ?? '', after);
  }
}

const parsers = { json: readStrictJson, toml: (text: string) => readToml(text).value };

/** Returns what is wrong, for the model. */
function compareJsonOrToml(
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
