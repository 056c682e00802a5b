import { decodeAddress } from '../decode-address.ts';
import { folderIn } from '../frameworks/site-rules.ts';
import { isRead } from '../page-extensions.ts';
import type { LinkForm } from '../pages/list-links.ts';
import type { Page } from '../pages/read-page.ts';
import type { Reading } from '../reading.ts';
import { findPart } from '../sites/find-part.ts';
import { findSameSite, type Site, type SiteEntry } from '../sites/open-sites.ts';
import { resolveLink } from '../sites/resolve-link.ts';
import { type FileTree, folderOf, isBelow, joinPath, nameOf } from '../tree.ts';

export type ReferenceKind =
  | 'link'
  | 'image'
  | 'navigation'
  | 'redirect from'
  | 'redirect'
  | 'import'
  | 'include'
  | 'mention';

/** A place that leads to a file of the repository. */
export interface Reference {
  file: string;
  line: number;
  /** The place of the target in the file. */
  start: number;
  end: number;
  written: string;
  kind: ReferenceKind;
  /** Of links. */
  form?: LinkForm;
  /** Where it leads. */
  path: string;
  anchor: string;
  site: Site;
}

export interface WantedPaths {
  has(path: string): boolean;
  /** Code and data that mention such a file hold one of these names. */
  names: readonly string[];
}

/**
 * All references of a reading to wanted files. `places` resolves their targets: by default the reading itself, or another reading, to see
 * where they lead there.
 */
export function listReferences(reading: Reading, wanted: WantedPaths, places: Reading = reading): Reference[] {
  const siteOf = createSiteLookup(places);
  const references: Reference[] = [];
  for (const own of reading.sites) {
    for (const [file, page] of own.pages) {
      const inPage = { tree: places.tree, site: siteOf(file) ?? own, file, page };
      references.push(...listOfPage(inPage, (path) => wanted.has(path)));
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

/** The links and parts of a page that lead to wanted files. */
export function listOfPage(
  { tree, site, file, page }: { tree: FileTree; site: Site; file: string; page: Page },
  isWanted: (path: string) => boolean,
): Reference[] {
  const links = page.links.flatMap(({ target, start, end, kind, form }): Reference[] => {
    const found = resolveLink({ tree, site, from: file, target, form });
    if ((found.kind !== 'page' && found.kind !== 'file') || !isWanted(found.path)) return [];
    const { path } = found;
    const anchor = found.kind === 'page' ? found.anchor : '';
    return [{ file, line: page.lineOf(start), start, end, written: target, kind, form, path, anchor, site }];
  });
  const parts = page.parts.flatMap(({ target, start, end, kind }): Reference[] => {
    const path = findPart(tree, site, file, target);
    if (path === undefined || !isWanted(path)) return [];
    return [{ file, line: page.lineOf(start), start, end, written: target, kind, path, anchor: '', site }];
  });
  return [...links, ...parts];
}

/** An entry of a navigation as a reference to what it leads to. */
export function toLinkReference(
  { file, line, start, end, target, form }: SiteEntry,
  path: string,
  site: Site,
): Reference {
  const place = { file, line, start, end, written: target, ...(form && { form }) };
  return { ...place, kind: 'navigation', path, anchor: '', site };
}

function listEntries(own: Site, wanted: WantedPaths, places: Reading): Reference[] {
  const site = findSameSite(places.sites, own) ?? own;
  const pageOf = (entry: SiteEntry) =>
    site === own
      ? entry.page
      : site.navigation.find(({ file, target }) => file === entry.file && target === entry.target)?.page;
  const entries = own.navigation.flatMap((entry): Reference[] => {
    const path = pageOf(entry) ?? findNamed(entry, places.tree);
    return path === undefined || entry.isPattern || !wanted.has(path) ? [] : [toLinkReference(entry, path, site)];
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

/** Quoted text of one line, also in Markdown attributes and YAML. */
const quoted = /(["'`])((?:(?!\1)[^\\\n$]){1,300})\1/g;
/** YAML and lists of redirects quote nothing. */
const bare = /(?<=^|[\s:])[\w./@-][^\s"'`,{}[\]]{0,300}(?=[\s,]|$)/gm;
const unquoted = /\.ya?ml$|(?:^|\/)_redirects$/i;
/** In a longer text, such as the end of a template: only with a `?` or `#`, which marks an address. */
const embedded = /(?<![\w.:/@#%-])\/(?:[\w.%@-]+\/){0,20}[\w.%@-]+\/?[#?][^\s"'`()<>{}[\],]{0,200}/g;
const pageExtension = /\.(?:mdx?|mdoc|markdown|html)$/i;
const maxCharacters = 400_000;
const frontMatter = /^\uFEFF?---[ \t]*\r?\n[\s\S]*?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

/** Addresses and paths of pages and static files beside links: in code, data, redirects, and front matter. Linear. */
function listMentions(tree: FileTree, places: Reading, wanted: WantedPaths): Reference[] {
  const pages = new Set(places.sites.flatMap((site) => [...site.pages.keys()]));
  return [...tree.paths].filter(isRead).flatMap((file) => {
    const isPage = pages.has(file) || pageExtension.test(file);
    const text = isPage ? frontMatter.exec(tree.read(file) ?? '')?.[0] : tree.read(file);
    const mayMention =
      text !== undefined && text.length <= maxCharacters && wanted.names.some((name) => text.includes(name));
    // A page has its own address in its front matter.
    return mayMention ? listIn({ file, text, isPage }, places, wanted).filter(({ path }) => path !== file) : [];
  });
}

function listIn(
  { file, text, isPage }: { file: string; text: string; isPage: boolean },
  places: Reading,
  wanted: WantedPaths,
): Reference[] {
  const strings = Array.from(text.matchAll(quoted), ({ 2: written = '', index }) => ({ written, start: index + 1 }));
  const others = [...(isPage || unquoted.test(file) ? [bare] : []), ...(isPage ? [] : [embedded])];
  for (const pattern of others)
    strings.push(...Array.from(text.matchAll(pattern), ({ 0: written, index }) => ({ written, start: index })));
  const found = strings.flatMap(({ written, start }): Reference[] => {
    const mentioned = findMentioned(file, written, places);
    if (mentioned === undefined || !wanted.has(mentioned.path)) return [];
    const line = text.slice(0, start).split('\n').length;
    const kind = nameKind(file, text, start);
    return [{ ...mentioned, file, line, start, end: start + written.length, written, kind, anchor: anchorOf(written) }];
  });
  return found.filter(({ start }, index) => found.findIndex((other) => other.start === start) === index);
}

const anchorOf = (written: string) => (written.includes('#') ? written.slice(written.indexOf('#') + 1) : '');

function findMentioned(file: string, written: string, { tree, sites }: Reading) {
  const target = decodeAddress(written.split(/[?#]/, 1)[0] ?? '');
  if (target === '' || /^[a-z][a-z\d+.-]*:|[\s<>*]|^\.+$/i.test(target)) return undefined;
  // A single word is mostly not a path.
  if (!target.includes('/')) return undefined;
  for (const site of sites) {
    if (site.pages.size === 0 || !isBelow(file, site.root)) continue;
    const path = target.startsWith('/') || !target.startsWith('.') ? findPage(target, site) : undefined;
    if (path !== undefined) return { path, site };
    const bases = target.startsWith('@site/')
      ? [site.root]
      : target.startsWith('/')
        ? []
        : [folderOf(file), site.root, ''];
    const below = target.replace(/^@site\//, '');
    const paths = bases.flatMap((base) => joinPath(base, below) ?? []);
    const named = paths.find((one) => site.pages.has(one));
    const isStatic = target.startsWith('/') && site.staticFolders.length > 0;
    const served = isStatic ? site.staticFolders.flatMap((folder) => joinPath(folder, target) ?? []) : [];
    const found = named ?? served.find((one) => tree.paths.has(one));
    if (found !== undefined) return { path: found, site };
  }
  return undefined;
}

function findPage(target: string, { byAddress }: Reference['site']): string | undefined {
  const address = `/${target}`
    .replace(/\/+/g, '/')
    .replace(pageExtension, '')
    .replace(/\/(?:index)?$/, '');
  return byAddress.get(address.toLowerCase() || '/');
}

const redirectFiles = /^(?:netlify\.toml|vercel\.json|_redirects|redirects?\.(?:json|ya?ml|[cm]?[jt]s))$/i;

function nameKind(file: string, text: string, start: number): ReferenceKind {
  const key =
    /(?<!\w)(\w+)["']?\s*[:=]\s*["'`]?$/.exec(text.slice(Math.max(0, start - 60), start))?.[1]?.toLowerCase() ?? '';
  if (['source', 'from'].includes(key)) return 'redirect from';
  if (['destination', 'to'].includes(key) || redirectFiles.test(nameOf(file))) {
    return file.endsWith('_redirects') && /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, start - 40), start))
      ? 'redirect from'
      : 'redirect';
  }
  return 'mention';
}
