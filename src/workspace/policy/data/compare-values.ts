import type { Container, DataFile } from './data-files.ts';
import { areEqual, createEntryCheck, type Data } from './entries.ts';
import { isMap } from './parse-data.ts';

/** Returns what is wrong, for the model; undefined when the two differ in the containers only, and what these gain is data. */
export function createValueComparison(
  before: Data | undefined,
  { containers, what }: DataFile,
): (after: Data) => string | undefined {
  const cutAll = (value: Data | undefined) => containers.reduce<Data | undefined>(withoutContainer, value);
  const rest = cutAll(before);
  const checks = containers.map((container) => ({
    at: container.at,
    check: createEntryCheck(findContainer(before, container.at), container),
  }));
  return (after) => {
    if (!areEqual(rest, cutAll(after))) return `only ${what} may change, and something else would differ`;
    return checks.map(({ at, check }) => check(findContainer(after, at))).find((bad) => bad !== undefined);
  };
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
