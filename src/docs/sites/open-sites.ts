import type { Framework } from '../frameworks/framework.ts';
import { frameworks } from '../frameworks/frameworks.ts';
import { findMarked } from '../frameworks/marked.ts';
import { plain, plainRules } from '../frameworks/plain.ts';
import type { NavigationEntry, SiteRules } from '../frameworks/site-rules.ts';
import { isMarkdown, isWrittenPage, type PageFormat } from '../page-extensions.ts';
import { type ReadText, readAnyPage } from '../pages/page-reader.ts';
import type { Page } from '../pages/read-page.ts';
import { type FileTree, isBelow, joinPath, relativeTo } from '../tree.ts';
import { createMadeTest } from './made-test.ts';
import { builtFiles, createRedirectTest } from './redirect-test.ts';

export interface SiteEntry extends NavigationEntry {
  page: string | undefined;
  /** It leads to no page, no other file, and nothing that the build creates. */
  isLost: boolean;
}

export interface Site extends Omit<SiteRules, 'navigation' | 'mustBeListed' | 'isMade'> {
  framework: Framework;
  pages: ReadonlyMap<string, Page>;
  /** In lower case: many hosts ignore the case. */
  byAddress: ReadonlyMap<string, string>;
  /** As they are written, where the case counts. */
  readonly exactAddresses: ReadonlySet<string> | undefined;
  /** The pages that declare these names for links. */
  readonly byLabel: ReadonlyMap<string, string>;
  navigation: readonly SiteEntry[];
  mustBeListed(path: string): boolean;
  /** Whether other pages show it, and it has no address of its own. */
  isPart(path: string): boolean;
  /** Whether a build may make a file that does not exist. */
  isMade(path: string): boolean;
  /** Whether a redirect or something that the build creates answers at this address. */
  isRedirected(address: string): boolean;
  /** The link roots of a page. Of several versions, only the page's own; the nearest first. */
  rootsFor(from: string): readonly string[];
}

/**
 * Reads a repository's documentation sites. Each page belongs to the site with the nearest root; without one, to the plain site. `onSetting`: a file
 * that says how the sites are read.
 */
export function openSites(
  tree: FileTree,
  readText: ReadText = readAnyPage,
  onSetting: (path: string) => void = () => {},
): Site[] {
  const opened = openRules(tree, onSetting);
  const nearestFirst = [
    ...opened.toSorted((a, b) => b.rules.root.length - a.rules.root.length || longest(b.rules) - longest(a.rules)),
    { framework: plain, rules: { ...plainRules(''), otherFiles: listPublished } },
  ];
  const found = nearestFirst.map((site) => ({ ...site, pages: new Map<string, Page>() }));
  for (const path of tree.paths) {
    if (!isWrittenPage(path) || isTemplate(opened, path)) continue;
    const site = found.find(
      ({ rules }) =>
        rules.folders.some((folder) => isBelow(path, folder)) &&
        findFormat(rules, path) !== undefined &&
        rules.isPage(path),
    );
    const format = site && findFormat(site.rules, path);
    const text = site && tree.read(path);
    if (!site || format === undefined || text === undefined) continue;
    site.pages.set(path, readText(text, format));
  }
  return found.map((site) => createSite(tree, site));
}

/** Sites of one's own have a file of `content/guide` in `public/guide`, too, and show the English page where a language has none. */
const listPublished = (path: string): string[] => [
  ...Array.from(path.matchAll(/\//g), ({ index }) => `public${path.slice(index)}`).slice(0, 2),
  path.replace(/(?<=^|\/)[a-z]{2}(?:-[a-z]{2,4})?(?=\/)/i, 'en'),
];

/** Such as the archetypes of Hugo, from which it makes pages. */
const isTemplate = (opened: readonly { framework: Framework; rules: SiteRules }[], path: string): boolean =>
  opened.some(
    ({ framework: { templates }, rules: { root } }) =>
      templates !== undefined &&
      isBelow(path, root) &&
      templates.some((template) => template.test(relativeTo(path, root).toLowerCase())),
  );

function openRules(tree: FileTree, onSetting: (path: string) => void) {
  let isOpen = false;
  const noted: FileTree = {
    ...tree,
    read(path) {
      if (!isOpen) onSetting(path);
      return tree.read(path);
    },
  };
  const opened = [...findSiteRoots(noted)].flatMap(([framework, folders]) =>
    folders.flatMap((root) => (framework.sites?.open(noted, root) ?? []).map((rules) => ({ framework, rules }))),
  );
  isOpen = true;
  return opened;
}

export function findFormat(rules: SiteRules, path: string): PageFormat | undefined {
  if (rules.formatOf) return rules.formatOf(path);
  if (!isMarkdown(path)) return undefined;
  return rules.isMdx(path) ? 'mdx' : 'markdown';
}

/** Of several sites of one framework at the same root, the one with the deepest folder comes first. */
const longest = ({ folders }: SiteRules) => Math.max(...folders.map((folder) => folder.length));

/** The site of another state of the repository that this one was, or became. */
export function findSameSite<T extends { framework: Framework; root: string; configurationFiles: readonly string[] }>(
  sites: readonly T[],
  { framework, root, configurationFiles: [main] }: Site,
): T | undefined {
  const alike = sites.filter((site) => site.framework === framework && site.root === root);
  return (
    alike.find(({ configurationFiles }) => configurationFiles[0] === main) ??
    (alike.length === 1 ? alike[0] : undefined)
  );
}

function createSite(
  tree: FileTree,
  { framework, rules, pages }: { framework: Framework; rules: SiteRules; pages: ReadonlyMap<string, Page> },
): Site {
  const addresses = new Map(Array.from(pages, ([path, page]) => [path, rules.addressesOf(path, page)] as const));
  const byAddress = listAddresses(addresses);
  const isRedirected = createRedirectTest(rules.redirects);
  const byName = new Map(
    Array.from(pages, ([path, page]) =>
      (rules.namesOf?.(path, page) ?? []).map((name) => [name, path] as const),
    ).flat(),
  );
  const findPage = (meaning: string) =>
    pages.has(meaning) ? meaning : (byName.get(meaning) ?? byAddress.get(meaning.toLowerCase()));
  // Routes with a name to fill in make pages, not images.
  const isAnswered = (address: string) =>
    (!isImage.test(address) && [address, address.replace(/(?<=.)\/$/, '')].some(rules.isDynamic)) ||
    isRedirected(address);
  const isMade = createMadeTest(tree, rules);
  const isMadeBelow = (address: string) => rules.folders.some((folder) => isMade(joinPath(folder, address) ?? ''));
  const isThere = (meaning: string) =>
    tree.paths.has(meaning) ||
    (!meaning.startsWith('/') && isMade(meaning)) ||
    (meaning.endsWith('/') && tree.hasFolder(meaning.slice(0, -1))) ||
    builtFiles.test(meaning) ||
    (meaning.startsWith('/') && (isAnswered(meaning) || isStatic(tree, rules, meaning) || isMadeBelow(meaning)));
  const held = listPageEntries(rules, pages);
  const roots = new Map<string, readonly string[]>();
  let byLabel: Map<string, string> | undefined;
  let exact: Set<string> | undefined;
  return {
    ...rules,
    framework,
    pages,
    addressesOf: (path, page) =>
      (pages.get(path) === page ? addresses.get(path) : undefined) ?? rules.addressesOf(path, page),
    byAddress,
    get exactAddresses() {
      if (rules.isCaseExact)
        exact ??= new Set(Array.from(pages, ([path, page]) => rules.addressesOf(path, page)).flat());
      return exact;
    },
    get byLabel() {
      byLabel ??= listLabels(rules, pages);
      return byLabel;
    },
    navigationFiles: [...new Set([...rules.navigationFiles, ...held.map(({ file }) => file)])],
    navigation: [...rules.navigation, ...held].map((entry) => {
      const page = entry.means.flatMap((meaning) => findPage(meaning) ?? [])[0];
      return { ...entry, page, isLost: page === undefined && !entry.means.some(isThere) };
    }),
    mustBeListed(path) {
      const page = pages.get(path);
      return page !== undefined && rules.mustBeListed(path, page);
    },
    isPart(path) {
      const page = pages.get(path);
      return framework.sites !== undefined && page !== undefined && addresses.get(path)?.length === 0;
    },
    isMade,
    isRedirected: isAnswered,
    rootsFor(from) {
      const known = roots.get(from) ?? listOwnRoots(rules, from);
      roots.set(from, known);
      return known;
    },
  };
}

function listOwnRoots({ linkRoots, root }: SiteRules, from: string): readonly string[] {
  const own = linkRoots.filter((each) => each === root || isBelow(from, each));
  return (own.some((each) => isBelow(from, each)) ? own : linkRoots).toSorted((a, b) => b.length - a.length);
}

const listLabels = ({ labelsOf }: SiteRules, pages: ReadonlyMap<string, Page>) =>
  new Map(
    Array.from(pages, ([path, page]) =>
      (labelsOf?.(path, page) ?? page.labels ?? []).map((name) => [name, path] as const),
    ).flat(),
  );

const listPageEntries = ({ readEntry }: SiteRules, pages: ReadonlyMap<string, Page>): NavigationEntry[] =>
  Array.from(pages, ([file, { entries = [], lineOf }]) =>
    entries.flatMap((entry) =>
      (readEntry?.(file, entry) ?? []).map((read): NavigationEntry => {
        const { start, end, isPattern } = entry;
        return { ...read, file, line: lineOf(start), start, end, isPattern, isCode: false, form: 'document' };
      }),
    ),
  ).flat();

const isImage = /\.(?:png|jpe?g|gif|svg|webp|avif)$/i;

/** A page's own address comes before another's second one. */
function listAddresses(all: ReadonlyMap<string, readonly string[]>): Map<string, string> {
  const byAddress = new Map<string, string>();
  const add = (address: string, path: string) => {
    const key = address.toLowerCase();
    if (!byAddress.has(key)) byAddress.set(key, path);
  };
  for (const [path, addresses] of all) for (const address of addresses.slice(0, 1)) add(address, path);
  for (const [path, addresses] of all) for (const address of addresses.slice(1)) add(address, path);
  return byAddress;
}

const isStatic = (tree: FileTree, { staticFolders }: SiteRules, address: string) =>
  staticFolders.some((folder) => tree.paths.has(joinPath(folder, address) ?? ''));

/** The folders that hold sites, by framework, in the order of the frameworks. */
function findSiteRoots(tree: FileTree): Map<Framework, string[]> {
  const marked = new Map<Framework, Set<string>>();
  for (const path of tree.paths) {
    for (const { framework, marker, root } of findMarked(path)) {
      const isRoot = marker.contains?.test(tree.read(path) ?? '') ?? true;
      if (framework.sites && isRoot && !marker.isOfPages)
        marked.set(framework, (marked.get(framework) ?? new Set()).add(root));
    }
  }
  return new Map(
    frameworks.flatMap((framework) => {
      const folders = [...(marked.get(framework) ?? [])];
      const roots = framework.sites?.findRoots?.(tree) ?? folders;
      return roots.length > 0 ? [[framework, roots]] : [];
    }),
  );
}
