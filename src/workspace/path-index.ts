import { parentsOf } from '../git/check-path.ts';

/** One name on a file system that ignores letter case and Unicode normalization: its spellings in the repository, and its children. */
interface Place {
  spellings: Map<string, number>;
  inside: Map<string, Place>;
}

interface Folder {
  place: Place;
  children: number;
}

/** Finds paths that differ only in letter case or Unicode normalization. Cost does not depend on depth: hostile trees are deep and wide. */
export function createPathIndex(paths: Iterable<string>) {
  const files = new Set<string>();
  const root: Folder = { place: createPlace(), children: 0 };
  const folders = new Map<string, Folder>();

  function add(path: string): void {
    if (!files.has(path)) {
      files.add(path);
      enter(path);
    }
  }

  function remove(path: string): void {
    if (files.delete(path)) leave(path);
  }

  /** The folder stays when its files are removed. */
  function addFolder(path: string): void {
    folderAt(path).children += 1;
  }

  function enter(name: string): Place {
    const parent = folderAt(parentOf(name));
    parent.children += 1;
    const key = fold(lastOf(name));
    const place = parent.place.inside.get(key) ?? createPlace();
    parent.place.inside.set(key, place);
    bump(place.spellings, name, 1);
    return place;
  }

  function folderAt(path: string): Folder {
    if (path === '') return root;
    const folder = folders.get(path) ?? { place: enter(path), children: 0 };
    folders.set(path, folder);
    return folder;
  }

  function leave(name: string): void {
    const path = parentOf(name);
    const parent = folderAt(path);
    parent.children -= 1;
    const key = fold(lastOf(name));
    const place = parent.place.inside.get(key);
    if (place) {
      bump(place.spellings, name, -1);
      if (place.spellings.size === 0) parent.place.inside.delete(key);
    }
    if (parent.children === 0 && parent !== root) {
      folders.delete(path);
      leave(path);
    }
  }

  /** The existing name that `path`, or a folder above it, collides with. */
  function findClash(path: string): string | undefined {
    let place: Place | undefined = root.place;
    for (const name of [...parentsOf(path), path]) {
      place = place.inside.get(fold(lastOf(name)));
      if (place === undefined || !place.spellings.has(name)) return place?.spellings.keys().next().value;
    }
    return undefined;
  }

  for (const path of paths) add(path);
  return {
    add,
    remove,
    addFolder,
    findClash,
    hasFile: (path: string) => files.has(path),
    hasFolder: (path: string) => folders.has(path),
  };
}

const createPlace = (): Place => ({ spellings: new Map(), inside: new Map() });

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

// Upper case first, so that ß equals ss and ſ equals s, as on APFS.
const fold = (name: string): string => name.normalize('NFD').toUpperCase().toLowerCase().normalize('NFC');

function bump(counts: Map<string, number>, name: string, change: number): void {
  const count = (counts.get(name) ?? 0) + change;
  if (count > 0) {
    counts.set(name, count);
  } else {
    counts.delete(name);
  }
}
