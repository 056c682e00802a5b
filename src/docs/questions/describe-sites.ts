import type { Documentation } from '../documentation.ts';
import { isOfFolder, type Language, type SiteVersion } from '../frameworks/site-rules.ts';
import type { Site } from '../sites/open-sites.ts';
import { folderOf, isBelow, relativeTo } from '../tree.ts';

/** A site of the repository, as data. Lists are bounded: `SiteOverview.pages` and the counts of files hold for all. */
export interface SiteOverview {
  framework: string;
  /** The folder of its configuration; empty: the repository's root. */
  root: string;
  pages: number;
  /** Folders of pages two levels below where the pages begin, in order of their paths; at most 40. */
  folders: {
    folder: string;
    pages: number;
    /** Its pages, from the folder on. Empty in a repository of many pages. */
    names: string[];
  }[];
  configurationFiles: string[];
  /** The files with entries, those with most entries first; at most 12. */
  navigation: { file: string; entries: number; isCode: boolean }[];
  /** How many files have entries. */
  navigationFiles: number;
  /** Where entries of new pages belong; undefined if the navigation is generated. */
  navigationFile: string | undefined;
  redirects: { file: string; redirects: number }[];
  redirectCode: string | undefined;
  languages: (Language & { pages: number })[];
  versions: (SiteVersion & { pages: number })[];
}

export interface Overview {
  /** Those with most pages first; at most 12. */
  sites: SiteOverview[];
  /** All sites that have pages. */
  siteCount: number;
}

const maxSites = 12;
const maxFolders = 40;
/** Of a repository whose pages are named. */
const maxNamedPages = 40;
const maxFiles = 12;

/** A question: the sites of the head, and their structure. */
export function describeSites({ head }: Documentation): Overview {
  const all = head.sites.flatMap((site) => {
    const paths = [...site.pages.keys()].filter((path) => !isHidden.test(path) && !isFixture.test(path));
    return paths.length > 0 ? [{ site, paths }] : [];
  });
  const own = all.filter(({ paths }) => !paths.every((path) => isForAuthors.test(path)));
  const sites = (own.length > 0 ? own : all).toSorted((a, b) => b.paths.length - a.paths.length);
  const areNamed = sites.reduce((sum, { paths }) => sum + paths.length, 0) <= maxNamedPages;
  return { sites: sites.slice(0, maxSites).map((each) => describeSite(each, areNamed)), siteCount: sites.length };
}

/** Files of tools and of tests. */
const isHidden = /(?:^|\/)\.[^/]/;
const isFixture = /(?:^|\/)(?:fixtures?|testdata|__\w+__)\//;
/** Pages for people who work on the repository. */
const isForAuthors =
  /(?:^|\/)(?:readme|license|changelog|contributing|code_of_conduct|security|support|governance|maintainers|agents|claude)(?:\.[\w-]+)+$/i;

function describeSite({ site, paths }: { site: Site; paths: readonly string[] }, areNamed: boolean): SiteOverview {
  const { framework, root, configurationFiles, navigationFiles, navigationFile, redirectFiles } = site;
  const countBelow = (folder: string) => paths.filter((path) => isBelow(path, folder)).length;
  const entries = Map.groupBy(site.navigation, ({ file }) => file);
  const navigation = navigationFiles
    .map((file) => {
      const own = entries.get(file) ?? [];
      return { file, entries: own.length, isCode: own.some(({ isCode }) => isCode) };
    })
    .toSorted((a, b) => b.entries - a.entries);
  const redirects = Map.groupBy(site.redirects, ({ file }) => file);
  return {
    framework: framework.name,
    root,
    pages: paths.length,
    folders: countFolders(paths, areNamed),
    configurationFiles: configurationFiles.slice(0, maxFiles),
    navigation: navigation.slice(0, maxFiles),
    navigationFiles: navigation.length,
    navigationFile: site.navigation.length > 0 && site.navigation.every(isOfFolder) ? undefined : navigationFile,
    redirects: redirectFiles.slice(0, maxFiles).map((file) => ({ file, redirects: redirects.get(file)?.length ?? 0 })),
    redirectCode: site.redirectCode,
    languages: countLanguages(site, paths),
    versions: site.versions.map((version) => ({ ...version, pages: countBelow(version.folder) })),
  };
}

/** Pages outside of the other languages' folders count for the default language. */
function countLanguages({ languages }: Site, paths: readonly string[]): SiteOverview['languages'] {
  const others = languages.filter(({ isDefault }) => !isDefault);
  const languageOf = (path: string) => others.find(({ folder }) => folder !== undefined && isBelow(path, folder));
  const counts = new Map<Language | undefined, number>();
  for (const path of paths) counts.set(languageOf(path), (counts.get(languageOf(path)) ?? 0) + 1);
  return languages.map((language) => ({
    ...language,
    pages: counts.get(language.isDefault ? undefined : language) ?? 0,
  }));
}

/** The folder that holds all pages, and two levels below it. */
function countFolders(paths: readonly string[], areNamed: boolean): SiteOverview['folders'] {
  const shared = findSharedFolder(paths.map(folderOf));
  const depth = shared === '' ? 0 : shared.split('/').length;
  const byFolder = Map.groupBy(paths, (path) => {
    const names = relativeTo(folderOf(path), shared).split('/').filter(Boolean);
    return [...shared.split('/').slice(0, depth), ...names.slice(0, 2)].join('/');
  });
  return [...byFolder]
    .map(([folder, inside]) => ({
      folder,
      pages: inside.length,
      names: areNamed ? inside.map((path) => relativeTo(path, folder)).toSorted() : [],
    }))
    .toSorted((a, b) => b.pages - a.pages)
    .slice(0, maxFolders)
    .toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
}

function findSharedFolder(folders: readonly string[]): string {
  let [shared = ''] = folders;
  for (const folder of folders) {
    while (shared !== '' && folder !== shared && !isBelow(folder, shared)) shared = folderOf(shared);
  }
  return shared;
}
