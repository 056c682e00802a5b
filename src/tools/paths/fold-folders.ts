import { plural } from '../output/limits.ts';
import type { PathRow } from './path-row.ts';

const maxDepth = 8;

/**
 * Groups paths by folder: with `depth` down to that depth below `prefix`, without files; otherwise as deep as fits in `maxRows`, and at
 * least one level deep.
 */
export function foldFolders(
  paths: readonly string[],
  { prefix, depth: wanted, maxRows }: { prefix: string; depth: number | undefined; maxRows: number },
): PathRow[] {
  const split = paths.map((path) => ({ path, ends: findFolderEnds(path, prefix.length) }));
  if (wanted !== undefined) return countFolders(split, { prefix, depth: wanted, showsFiles: false });
  let rows: PathRow[] = [];
  for (let depth = 1; depth <= maxDepth; depth += 1) {
    const deeper = countFolders(split, { prefix, depth, showsFiles: true });
    if (depth > 1 && deeper.length > maxRows) break;
    rows = deeper;
  }
  return rows;
}

function countFolders(
  split: readonly { path: string; ends: readonly number[] }[],
  { prefix, depth, showsFiles }: { prefix: string; depth: number; showsFiles: boolean },
): PathRow[] {
  const counts = new Map<string, number>();
  for (const { path, ends } of split) {
    const end = ends[Math.min(depth, ends.length) - 1];
    // Each file of a folder that is not folded is a row.
    const isFile = showsFiles && ends.length < depth;
    const key = isFile ? path : path.slice(0, end ?? prefix.length);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Array.from(counts, ([path, count]) =>
    path.endsWith('/') || path === '' ? { path: path === '' ? './' : path, note: plural(count, 'file') } : { path },
  );
}

function findFolderEnds(path: string, from: number): number[] {
  const ends: number[] = [];
  for (let at = path.indexOf('/', from); at !== -1 && ends.length < maxDepth; at = path.indexOf('/', at + 1)) {
    ends.push(at + 1);
  }
  return ends;
}
