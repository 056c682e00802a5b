import type { Reading } from '../documentation.ts';
import { type Page, readPage } from '../pages/read-page.ts';
import { openSites } from '../sites/open-sites.ts';
import { createTree } from '../tree.ts';

/** The reading with one file at another place, and with other texts. Pages with a known text are not parsed again. */
export function readAfterMove(
  { tree, sites }: Reading,
  { from, to }: { from: string; to: string },
  texts: ReadonlyMap<string, string> = new Map(),
): Reading {
  const paths = new Set(tree.paths);
  paths.delete(from);
  paths.add(to);
  const known = new Map<boolean, Map<string, Page>>([
    [true, new Map()],
    [false, new Map()],
  ]);
  for (const site of sites) {
    for (const [path, page] of site.pages) known.get(site.isMdx(path))?.set(tree.read(path) ?? '', page);
  }
  const moved = createTree({ paths, read: (path) => texts.get(path) ?? tree.read(path === to ? from : path) });
  const opened = openSites(moved, (text, { isMdx }) => known.get(isMdx)?.get(text) ?? readPage(text, { isMdx }));
  return { tree: moved, sites: opened, found: [] };
}
