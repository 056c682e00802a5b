import type { Reading } from '../documentation.ts';
import { type Page, readPage } from '../pages/read-page.ts';
import { openSites } from '../sites/open-sites.ts';
import { createTree } from '../tree.ts';
import { movedPath, type PathMove } from './moved-path.ts';

/** The reading with a file or folder at another place, and with other texts by their new paths. Pages with a known text are not parsed again. */
export function readAfterMove(
  { tree, sites }: Reading,
  move: PathMove,
  texts: ReadonlyMap<string, string> = new Map(),
): Reading {
  const paths = move.isDeleted ? [...tree.paths].filter((path) => path !== move.from) : [...tree.paths];
  const origins = new Map(paths.map((path) => [movedPath(move, path), path]));
  const known = new Map<boolean, Map<string, Page>>([
    [true, new Map()],
    [false, new Map()],
  ]);
  for (const site of sites) {
    for (const [path, page] of site.pages) known.get(site.isMdx(path))?.set(tree.read(path) ?? '', page);
  }
  const moved = createTree({
    paths: new Set(origins.keys()),
    read: (path) => texts.get(path) ?? tree.read(origins.get(path) ?? path),
  });
  const opened = openSites(moved, (text, { isMdx }) => known.get(isMdx)?.get(text) ?? readPage(text, { isMdx }));
  return { tree: moved, sites: opened, found: [] };
}
