import { parentsOf } from '../git/paths.ts';

/** A name as a file system sees it that ignores letter case and Unicode normalisation: all who spell it so, and what lies below. */
interface Place {
  spellings: Map<string, number>;
  inside: Map<string, Place>;
}

interface Folder {
  place: Place;
  /** Files and folders directly in it. */
  children: number;
}

/**
 * The names in use in a workspace, files and the folders they imply, and whether a new one would be the same as an old one on a file
 * system that ignores letter case or Unicode normalisation: there only one of the two could be checked out.
 *
 * The cost of a file is its name and the folders that it is the first in, however deep it lies: a hostile tree puts thousands of files
 * below hundreds of folders.
 */
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
    if (files.delete(path)) {
      leave(path);
    }
  }

  /** Makes a folder known that is there whatever happens to the files in it. */
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
    if (path === '') {
      return root;
    }
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
      if (place.spellings.size === 0) {
        parent.place.inside.delete(key);
      }
    }
    if (parent.children === 0 && parent !== root) {
      folders.delete(path);
      leave(path);
    }
  }

  /** The name in use that `path`, or a folder above it, would collide with; undefined when there is none. */
  function findClash(path: string): string | undefined {
    let place: Place | undefined = root.place;
    for (const name of [...parentsOf(path), path]) {
      place = place.inside.get(fold(lastOf(name)));
      if (place === undefined || !place.spellings.has(name)) {
        return place?.spellings.keys().next().value;
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
    addFolder,
    findClash,
    hasFile: (path: string) => files.has(path),
    list: () => [...files],
    hasFolder: (path: string) => folders.has(path),
  };
}

const createPlace = (): Place => ({ spellings: new Map(), inside: new Map() });

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

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
