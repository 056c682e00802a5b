import { areEqual, type Data, isMap } from '../../docs/formats/data.ts';
import type { Container, DataFile } from '../../docs/frameworks/edits/data-files.ts';
import { createEntryCheck } from './entries.ts';
import type { ChangedPart } from './json-parts.ts';

/** All return what is wrong, for the model. */
interface ValueComparison {
  /** Undefined when the two differ in the containers only, and what these gain is data. */
  compare(after: Data): string | undefined;
  /** The same for a file that otherwise stays as it was. Both are roots, with the changed entries alone. */
  compareParts(parts: { removed: Data; added: Data }): string | undefined;
  /** The same for a file of which one part alone changes. */
  comparePart(part: ChangedPart): string | undefined;
}

export function createValueComparison(before: Data | undefined, { containers, what }: DataFile): ValueComparison {
  const cutAll = (value: Data | undefined) => containers.reduce<Data | undefined>(withoutContainer, value);
  const rest = cutAll(before);
  const checks = containers.map((container) => ({
    at: container.at,
    check: createEntryCheck(findContainer(before, container.at), container),
  }));
  const elsewhere = `only ${what} may change, and something else would differ`;
  const checkAll = (root: Data) =>
    checks.map(({ at, check }) => check(findContainer(root, at))).find((bad) => bad !== undefined);
  return {
    compare: (after) => (areEqual(rest, cutAll(after)) ? checkAll(after) : elsewhere),
    compareParts: ({ removed, added }) =>
      [removed, added].every((root) => Object.keys(cutAll(root) ?? {}).length === 0) ? checkAll(added) : elsewhere,
    comparePart({ path, removed, added }) {
      const found = checks.find(({ at }) => at.every((key, depth) => path[depth] === key));
      if (found === undefined) return elsewhere;
      const key = path.slice(found.at.length).findLast((step) => typeof step === 'string') ?? '';
      return found.check(added, { before: removed, key });
    },
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
