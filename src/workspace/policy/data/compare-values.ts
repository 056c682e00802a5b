import type { Container, DataFile } from './data-files.ts';
import { areEqual, createEntryCheck, type Data } from './entries.ts';
import { isMap } from './parse-data.ts';

/** Returns what is wrong, for the model; undefined when the two differ in the containers only, and what these gain is data. */
export function compareValues(
  before: Data | undefined,
  after: Data,
  { containers, what }: DataFile,
): string | undefined {
  const rest = [before, after].map((value) => containers.reduce<Data | undefined>(withoutContainer, value));
  if (!areEqual(rest[0], rest[1])) return `only ${what} may change, and something else would differ`;
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
