/** A value of JSON, TOML or YAML. Dates of TOML come as text. */
export type Data = null | boolean | number | string | Data[] | { [key: string]: Data };

export const isMap = (value: Data | undefined): value is { [key: string]: Data } =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Deep equality of data; the order of keys does not count. */
export function areEqual(a: Data | undefined, b: Data | undefined): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, at) => areEqual(item, b[at]))
    );
  }
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && areEqual(a[name], b[name]))
  );
}

const maxDepth = 100;

/** Throws for data that nests deeper than any site needs: what reads it is recursive. */
export function checkDepth(value: Data, depth = 0): void {
  if (depth > maxDepth) throw new Error('the data nests too deeply');
  if (value === null || typeof value !== 'object') return;
  for (const child of Object.values(value)) checkDepth(child, depth + 1);
}
