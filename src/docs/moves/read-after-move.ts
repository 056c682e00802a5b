import { createPageCache } from '../pages/page-reader.ts';
import { readAnyPage } from '../pages/read-any-page.ts';
import type { Reading } from '../reading.ts';
import { findFormat, openSites } from '../sites/open-sites.ts';
import { createTree } from '../tree.ts';
import { movedPath, type PathMove } from './moved-path.ts';

/** The reading with a file or folder at another place, and with other texts by their new paths, which may be new files. Pages with a known text are not parsed again. */
export function readAfterMove(
  { tree, sites }: Reading,
  move: PathMove,
  texts: ReadonlyMap<string, string> = new Map(),
): Reading {
  const paths = move.isDeleted ? [...tree.paths].filter((path) => path !== move.from) : [...tree.paths];
  const origins = new Map(paths.map((path) => [movedPath(move, path), path]));
  const known = createPageCache();
  for (const site of sites) {
    for (const [path, page] of site.pages) known(findFormat(site, path) ?? 'markdown').set(tree.read(path) ?? '', page);
  }
  const moved = createTree({
    paths: new Set([...origins.keys(), ...texts.keys()]),
    read: (path) => texts.get(path) ?? tree.read(origins.get(path) ?? path),
  });
  const opened = openSites(moved, (text, format) => known(format).get(text) ?? readAnyPage(text, format));
  return { tree: moved, sites: opened, found: [] };
}
