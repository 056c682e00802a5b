import { plural } from '../output/limits.ts';

/** Files that pages show and nobody edits as text. */
const media = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|mp4|webm|mov|mp3|pdf|woff2?|ttf|otf|eot|zip)$/i;
const minMedia = 4;
/** A tree is a repeat if it has this many files, and this share of them is in the other one, too. */
const minRepeat = 5;
const minShare = 0.6;
const english = /(?:^|\/)en(?:[-_]\w+)?\/$/i;
/** Languages and versions: other trees with the same file names have other content. */
const repeatName =
  /(?:^|\/)(?:[a-z]{2,3}(?:[-_][a-z]{2,4})?|(?:version-)?v?\d[\w.-]*|latest|next|current|stable|main)\/$/i;
const maxDepth = 3;
/** How many trees one is compared with. */
const maxOriginals = 6;

interface Folded {
  /** Trees of versions and languages that repeat the tree beside or around them. */
  repeats: PathRow[];
  /** The other paths. */
  kept: string[];
  /** Of `kept`: media of folders with several, by folder; and the rest. */
  media: PathRow[];
  single: string[];
}

/** Folds paths that tell little. Linear in their number. */
export function foldRepeats(paths: readonly string[], prefix: string): Folded {
  const repeats = findRepeats(paths, prefix);
  const kept = paths.filter((path) => !listFolders(path, prefix).some((folder) => repeats.has(folder)));
  const mediaOf = Map.groupBy(
    kept.filter((path) => media.test(path)),
    folderOf,
  );
  const folded = new Map([...mediaOf].filter(([, files]) => files.length >= minMedia));
  return {
    repeats: Array.from(repeats, ([path, { count, original }]) => ({
      path,
      note: `${plural(count, 'file')}, mostly as in ${original === '' ? 'the root' : original}`,
    })),
    kept,
    media: Array.from(folded, ([folder, files]) => ({ path: folder, note: plural(files.length, 'media file') })),
    single: kept.filter((path) => !media.test(path) || !folded.has(folderOf(path))),
  };
}

/** By folder, the folder that it repeats: one beside it, or the one around it. */
function findRepeats(paths: readonly string[], prefix: string): Map<string, { count: number; original: string }> {
  const trees = new Map<string, Set<string>>();
  for (const path of paths) {
    for (const folder of [prefix, ...listFolders(path, prefix)]) {
      const tree = trees.get(folder) ?? new Set();
      trees.set(folder, tree);
      tree.add(path.slice(folder.length));
    }
  }
  const repeats = new Map<string, { count: number; original: string }>();
  const beside = Map.groupBy(
    [...trees.keys()].filter((folder) => folder !== prefix),
    (folder) => folderOf(folder.slice(0, -1)),
  );
  for (const [around, folders] of [...beside].toSorted(([a], [b]) => a.length - b.length)) {
    if ([...repeats.keys()].some((folder) => around.startsWith(folder))) continue;
    const originals = [around];
    const sizeOf = (folder: string) => trees.get(folder)?.size ?? 0;
    // Other trees were made from the English or the largest one.
    const originalsFirst = folders.toSorted(
      (a, b) => Number(english.test(b)) - Number(english.test(a)) || sizeOf(b) - sizeOf(a),
    );
    for (const folder of originalsFirst) {
      const tree = trees.get(folder) ?? new Set();
      if (tree.size < minRepeat) continue;
      const original = originals.find((other) => sharesMost(tree, trees.get(other) ?? new Set()));
      if (original !== undefined && repeatName.test(folder)) repeats.set(folder, { count: tree.size, original });
      else if (originals.length <= maxOriginals) originals.push(folder);
    }
  }
  return repeats;
}

function sharesMost(tree: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  let shared = 0;
  for (const path of tree) if (other.has(path)) shared += 1;
  return shared >= tree.size * minShare;
}

/** With a slash at the end, outermost first. */
function listFolders(path: string, prefix: string): string[] {
  const folders: string[] = [];
  for (
    let at = path.indexOf('/', prefix.length);
    at >= 0 && folders.length < maxDepth;
    at = path.indexOf('/', at + 1)
  ) {
    folders.push(path.slice(0, at + 1));
  }
  return folders;
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/** A file, or a folder (with a slash at its end) with a note about its files. */
export interface PathRow {
  path: string;
  note?: string;
}
