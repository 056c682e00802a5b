import { parentsOf } from './paths.ts';

/**
 * The names in use in a workspace, files and the folders they imply, and whether a new one would be the same as an old one on a file
 * system that ignores letter case or Unicode normalisation: there only one of the two could be checked out.
 */
export function createPathIndex(paths: Iterable<string>) {
  const files = new Set<string>();
  const folders = new Map<string, number>();
  const spellings = new Map<string, Map<string, number>>();

  function add(path: string): void {
    if (!files.has(path)) {
      files.add(path);
      count(path, 1);
    }
  }

  function remove(path: string): void {
    if (files.delete(path)) {
      count(path, -1);
    }
  }

  function count(path: string, change: 1 | -1): void {
    bump(spellingsOf(path), path, change);
    for (const folder of parentsOf(path)) {
      bump(folders, folder, change);
      bump(spellingsOf(folder), folder, change);
    }
  }

  function spellingsOf(name: string): Map<string, number> {
    const folded = fold(name);
    const known = spellings.get(folded) ?? new Map<string, number>();
    spellings.set(folded, known);
    return known;
  }

  /** The name in use that `path`, or a folder above it, would collide with; undefined when there is none. */
  function findClash(path: string): string | undefined {
    for (const name of [...parentsOf(path), path]) {
      const known = spellings.get(fold(name));
      if (known && known.size > 0 && !known.has(name)) {
        return known.keys().next().value;
      }
    }
    return undefined;
  }

  for (const path of paths) {
    add(path);
  }
  return {
    add,
    remove,
    findClash,
    hasFile: (path: string) => files.has(path),
    list: () => [...files],
    hasFolder: (path: string) => folders.has(path),
  };
}

// Upper case first: only that way ß meets ss and ſ meets s, as on APFS.
const fold = (name: string): string => name.normalize('NFD').toUpperCase().toLowerCase().normalize('NFC');

function bump(counts: Map<string, number>, name: string, change: number): void {
  const count = (counts.get(name) ?? 0) + change;
  if (count > 0) {
    counts.set(name, count);
  } else {
    counts.delete(name);
  }
}
