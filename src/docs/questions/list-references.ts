import type { Reading } from '../reading.ts';
import { findPart } from '../sites/find-part.ts';
import { folderIn } from '../sites/folder-entry.ts';
import { findSameSite, type Site, type SiteEntry } from '../sites/open-sites.ts';
import { resolveLink } from '../sites/resolve-link.ts';
import { type FileTree, joinPath } from '../tree.ts';
import { listMentions } from './list-mentions.ts';
import type { Reference, WantedPaths } from './reference.ts';

/**
 * All references of a reading to wanted files. `places` resolves their targets: by default the reading itself, or another reading, to see
 * where they lead there.
 */
export function listReferences(reading: Reading, wanted: WantedPaths, places: Reading = reading): Reference[] {
  const siteOf = createSiteLookup(places);
  const references: Reference[] = [];
  for (const own of reading.sites) {
    for (const [file, page] of own.pages) {
      const site = siteOf(file) ?? own;
      for (const { target, start, end, kind, form } of page.links) {
        const found = resolveLink({ tree: places.tree, site, from: file, target, form });
        if ((found.kind !== 'page' && found.kind !== 'file') || !wanted.has(found.path)) continue;
        const anchor = found.kind === 'page' ? found.anchor : '';
        const line = page.lineOf(start);
        references.push({ file, line, start, end, written: target, kind, form, path: found.path, anchor, site });
      }
      for (const { target, start, end, kind } of page.parts) {
        const path = findPart(places.tree, site, file, target);
        if (path === undefined || !wanted.has(path)) continue;
        references.push({ file, line: page.lineOf(start), start, end, written: target, kind, path, anchor: '', site });
      }
    }
    references.push(...listEntries(own, wanted, places));
  }
  // A summary is a page, too: its links are entries.
  const byPlace = new Map(references.map((reference) => [`${reference.start} ${reference.file}`, reference]));
  const byFile = Map.groupBy(byPlace.values(), ({ file }) => file);
  const isKnown = ({ file, start, end }: Reference) =>
    byFile.get(file)?.some((other) => other.start < end && start < other.end) ?? false;
  return [...byPlace.values(), ...listMentions(reading.tree, places, wanted).filter((each) => !isKnown(each))];
}

function listEntries(own: Site, wanted: WantedPaths, places: Reading): Reference[] {
  const site = findSameSite(places.sites, own) ?? own;
  const pageOf = (entry: SiteEntry) =>
    site === own
      ? entry.page
      : site.navigation.find(({ file, target }) => file === entry.file && target === entry.target)?.page;
  const entries = own.navigation.flatMap((entry): Reference[] => {
    const path = pageOf(entry) ?? findNamed(entry, places.tree);
    if (path === undefined || entry.isPattern || !wanted.has(path)) return [];
    const { file, line, start, end, target, form } = entry;
    const place = { file, line, start, end, written: target, ...(form && { form }) };
    return [{ ...place, kind: 'navigation', path, anchor: '', site }];
  });
  const redirects = own.redirects.flatMap(({ to, file, line, start, end }): Reference[] => {
    if (to === undefined || !to.startsWith('/')) return [];
    const found = resolveLink({ tree: places.tree, site, from: joinPath(site.root, 'index.md') ?? '', target: to });
    if (found.kind !== 'page' || !wanted.has(found.path)) return [];
    return [{ file, line, start, end, written: to, kind: 'redirect', path: found.path, anchor: found.anchor, site }];
  });
  return [...entries, ...redirects];
}

/** The file or folder that an entry without a page means. */
function findNamed({ means }: SiteEntry, tree: FileTree): string | undefined {
  for (const meaning of means) {
    const folder = folderIn(meaning);
    if (tree.paths.has(meaning)) return meaning;
    if (folder !== undefined && tree.hasFolder(folder)) return folder;
  }
  return undefined;
}

export function createSiteLookup({ sites }: Reading): (path: string) => Site | undefined {
  const known = new Map(sites.flatMap((site) => [...site.pages.keys()].map((path) => [path, site] as const)));
  return (path) => known.get(path);
}
