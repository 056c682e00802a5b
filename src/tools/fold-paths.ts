import { formatCount } from './limits.ts';

const maxDepth = 8;

/** Paths folded into the folders they are in, as deep as `maxRows` has room for; one level deep in any case. */
export function foldPaths(paths: readonly string[], maxRows: number): string[] {
  const split = paths.map((path) => ({ path, ends: findFolderEnds(path) }));
  let rows: string[] = [];
  for (let depth = 1; depth <= maxDepth; depth += 1) {
    const counts = new Map<string, number>();
    for (const { path, ends } of split) {
      const key = path.slice(0, ends[depth - 1]);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    if (depth > 1 && counts.size > maxRows) {
      break;
    }
    rows = Array.from(counts, ([key, count]) => (key.endsWith('/') ? `${key} (${formatCount(count)} files)` : key));
  }
  return rows;
}

/** Where the names of the outermost folders of a path end. */
function findFolderEnds(path: string): number[] {
  const ends: number[] = [];
  for (let at = path.indexOf('/'); at !== -1 && ends.length < maxDepth; at = path.indexOf('/', at + 1)) {
    ends.push(at + 1);
  }
  return ends;
}
