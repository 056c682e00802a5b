import { plural } from '../output/limits.ts';
import type { PathRow } from './path-row.ts';

const maxDepth = 8;

/** Groups paths by folder, as deep as fits in `maxRows`, and at least one level deep. */
export function foldFolders(
  paths: readonly string[],
  { prefix, maxRows }: { prefix: string; maxRows: number },
): PathRow[] {
  const split = paths.map((path) => ({ path, ends: findFolderEnds(path, prefix.length) }));
  let rows: PathRow[] = [];
  for (let depth = 1; depth <= maxDepth; depth += 1) {
    const deeper = countFolders(split, depth);
    if (depth > 1 && deeper.length > maxRows) break;
    rows = deeper;
  }
  return rows;
}

function countFolders(split: readonly { path: string; ends: readonly number[] }[], depth: number): PathRow[] {
  const counts = new Map<string, number>();
  for (const { path, ends } of split) {
    // Each file of a folder that is not folded is a row.
    const key = ends.length < depth ? path : path.slice(0, ends[depth - 1]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Array.from(counts, ([path, count]) => (path.endsWith('/') ? { path, note: plural(count, 'file') } : { path }));
}

function findFolderEnds(path: string, from: number): number[] {
  const ends: number[] = [];
  for (let at = path.indexOf('/', from); at !== -1 && ends.length < maxDepth; at = path.indexOf('/', at + 1)) {
    ends.push(at + 1);
  }
  return ends;
}
