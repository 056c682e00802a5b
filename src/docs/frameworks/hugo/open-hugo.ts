import { isMap } from '../../formats/data.ts';
import { stringIn } from '../../formats/settings.ts';
import { isMarkdown } from '../../page-extensions.ts';
import { githubSlug } from '../../pages/slugs.ts';
import { type FileTree, folderOf, isBelow, joinPath, nameOf, relativeTo } from '../../tree.ts';
import { toAddress } from '../addresses.ts';
import { listLanguages } from '../languages.ts';
import { siteRules } from '../plain.ts';
import { readHostRedirects } from '../redirects/host-redirects.ts';
import type { SiteRules } from '../site-rules.ts';
import {
  type ContentPlace,
  createPlaces,
  findPattern,
  listHugoAddresses,
  listReferenceNames,
  sanitize,
} from './hugo-pages.ts';
import {
  type HugoSettings,
  listCodes,
  listForeignContent,
  listHugoContents,
  listMenuEntries,
  readHugoSettings,
} from './hugo-settings.ts';

/** Many tools have a file `config.yaml`. */
const isHugoSite = (tree: FileTree, root: string, settings: HugoSettings): boolean => {
  const isNamed = settings.files.some((path) => nameOf(path).toLowerCase().startsWith('hugo.'));
  const isConfigured =
    isNamed || settings.files.some((path) => /baseurl|languagecode|contentdir/i.test(tree.read(path) ?? ''));
  return (
    (isConfigured || ['archetypes', 'layouts'].some((name) => tree.hasFolder(joinPath(root, name) ?? ''))) &&
    listHugoContents(tree, root, settings).some(({ folder }) => tree.hasFolder(folder))
  );
};

/** https://gohugo.io/content-management/organization/ */
export function openHugo(tree: FileTree, root: string): SiteRules[] {
  const settings = readHugoSettings(tree, root);
  return isHugoSite(tree, root, settings) ? [readHugoSite(tree, root, settings)] : [];
}

function readHugoSite(tree: FileTree, root: string, settings: HugoSettings): SiteRules {
  const contents = listHugoContents(tree, root, settings);
  const codes = listCodes(settings);
  const defaultCode = stringIn(settings.read('defaultcontentlanguage')) ?? codes[0] ?? 'en';
  const isInFolder = settings.read('defaultcontentlanguageinsubdir') === true;
  const prefixOf = (code: string) => (code === defaultCode && !isInFolder ? '' : `/${code}`);
  const folders = [...new Set(contents.map(({ folder }) => folder))];
  const paths = folders.flatMap((folder) => (tree.paths.has(folder) ? [folder] : tree.below(folder)));
  const placeOf = createPlaces(paths, { contents, codes, defaultCode });
  const permalinks = settings.read('permalinks');
  const places = new Map(paths.flatMap((path) => toPair(path, placeOf(path))));
  const below = (name: string) => joinPath(root, name) ?? '';
  const lookUp = createLookup(places);
  const base = readBase(stringIn(settings.read('baseurl')));
  const foreign = listForeignContent(tree, root, settings);
  const isDynamic = createRoutes({ paths, places, contents, settings, foreign, prefixOf });
  // In a site with several languages, Hugo itself looks for the page of a link: https://gohugo.io/render-hooks/links/#embedded
  const hasHooks =
    codes.length > 1 ||
    hasOwnTheme(settings) ||
    [...tree.below(below('layouts'))].some((path) => /_markup\/render-link/.test(path));
  const menuFiles = settings.files.filter((path) => /^(?:hugo|config|menus?)\b/i.test(nameOf(path)));
  const languageOf = (path: string) => places.get(path)?.language ?? defaultCode;
  return {
    ...siteRules(root),
    folders: folders.map((folder) => (tree.paths.has(folder) ? folderOf(folder) : folder)),
    configurationFiles: settings.files,
    isPage: (path) => folders.some((folder) => path === folder || isBelow(path, folder)),
    addressesOf(path, page) {
      const place = places.get(path);
      return place === undefined ? [] : listHugoAddresses(place, page, { prefixOf, permalinks });
    },
    baseAddress: base,
    translatesLinks: true,
    alternatives(address, from) {
      const prefix = prefixOf(languageOf(from));
      const [, first = ''] = address.split('/');
      // A page that a language lacks may come from the default language.
      const plain = codes.includes(first.toLowerCase()) ? address.slice(first.length + 1) || '/' : address;
      return prefix === '' && plain === address
        ? [address]
        : [...new Set([address, toAddress(prefix, address), plain])];
    },
    // Pages of a bundle share its files in all languages.
    otherFiles: (path) => {
      const own =
        isMarkdown(path) || !/\.\w+$/.test(path) ? undefined : contents.find(({ folder }) => isBelow(path, folder));
      return own === undefined ? [] : folders.map((folder) => joinPath(folder, relativeTo(path, own.folder)) ?? '');
    },
    staticFolders: [...['static', 'assets'].map(below), ...folders.slice(0, 1)],
    linkRoots: folders,
    // Templates of the site or its theme may turn links to files into addresses.
    relativeLinks: hasHooks ? 'both' : 'named-files',
    basesOf: (own) => (hasHooks ? [own, folderOf(own)] : [own]),
    findMeaning({ target, form, from }) {
      const [path = '', anchor] = target.split('#', 2);
      if (form !== 'reference') {
        // Templates of links look for the page of a file.
        const page = /\.md$/.test(path) ? lookUp(path, from) : undefined;
        return page === undefined ? undefined : { paths: [page], anchor: anchor ?? '' };
      }
      const isUnknown = isDynamic(toAddress(path)) && lookUp(path, from) === undefined;
      return isUnknown ? {} : { paths: [path === '' ? from : (lookUp(path, from) ?? path)], anchor: anchor ?? '' };
    },
    // Attributes stand behind a heading: https://gohugo.io/content-management/markdown-attributes/
    slug: (text) => githubSlug(text.replace(/(?<!\s)\s*\{[^{}]{0,300}\}\s*$/, '')) || 'heading',
    slugsMarks: true,
    isDynamic,
    navigation: listMenuEntries(tree, menuFiles),
    navigationFiles: menuFiles,
    navigationFaults: settings.faults,
    pageAliases: { key: 'aliases', write: (address) => `${address}/` },
    ...readHostRedirects(tree, root, folders),
    languages: listLanguages(tree, {
      root,
      languages: codes.map((code) => ({ code, folder: contents.find(({ language }) => language === code)?.folder })),
      defaultCode,
    }),
  };
}

/** Docsy leaves links as they are; other themes may have templates of links. */
const hasOwnTheme = ({ read }: HugoSettings): boolean => {
  const imports = read('module', 'imports');
  const named = [
    read('theme'),
    ...(Array.isArray(imports) ? imports.map((each) => isMap(each) && each.path) : [imports]),
  ];
  return named
    .flat()
    .some((name) => typeof name === 'string' && !/(?:^|\/)docsy(?:\/(?:theme|v\d+))*$|docsy\/dependencies$/.test(name));
};

const toPair = (path: string, place: ContentPlace | undefined) => (place === undefined ? [] : [[path, place] as const]);

/** The path of `baseURL`. */
const readBase = (url = ''): string => toAddress(/^[a-z]+:\/\/[^/]+\/(.*)$/i.exec(url)?.[1] ?? '').replace(/^\/$/, '');

/** `ref` and `relref`: relative to the page, from the content on, or the only page with this name. https://gohugo.io/methods/site/getpage/ */
function createLookup(places: ReadonlyMap<string, ContentPlace>): (target: string, from: string) => string | undefined {
  const byName = new Map<string, string>();
  for (const [path, place] of places) {
    for (const name of listReferenceNames(place)) {
      for (const key of [`${place.language} ${name}`, name]) if (!byName.has(key)) byName.set(key, path);
    }
  }
  return (target, from) => {
    const place = places.get(from);
    const folder =
      place === undefined ? '' : place.isSection ? place.names.join('/') : place.names.slice(0, -1).join('/');
    const path = target
      .toLowerCase()
      .replace(/\.(?:md|markdown|html?)$/, '')
      .replace(/(?:^|\/)_?index$/, '');
    const names = [
      ...(target.startsWith('/')
        ? []
        : [joinPath(folder.toLowerCase(), path), joinPath(place?.names.join('/').toLowerCase() ?? '', path)]),
      joinPath('', path),
    ].flatMap((name) => (name === undefined ? [] : [`/${name}`]));
    const all = [...names, ...(path.includes('/') ? [] : [path])];
    const found = all.flatMap((name) => [byName.get(`${place?.language} ${name}`), byName.get(name)]);
    return found.find((each) => each !== undefined);
  };
}

const lists: Record<string, string> = { tag: 'tags', category: 'categories' };

/** What templates make: lists of sections and terms, pages that are not Markdown, pages of other formats. */
function createRoutes(options: {
  paths: readonly string[];
  places: ReadonlyMap<string, ContentPlace>;
  contents: ReturnType<typeof listHugoContents>;
  settings: ReturnType<typeof readHugoSettings>;
  foreign: readonly string[];
  prefixOf(language: string): string;
}): (address: string) => boolean {
  const { paths, places, contents, settings, foreign, prefixOf } = options;
  const taxonomies = settings.read('taxonomies');
  const permalinks = settings.read('permalinks');
  const sections = new Set(
    [...places.values()].flatMap(({ names }) => (names.length > 1 ? [sanitize(names[0] ?? '')] : [])),
  );
  const others = new Set(
    [...places].flatMap(([path, { language, names }]) =>
      isMarkdown(path) ? [] : [toAddress(prefixOf(language), ...names.map(sanitize))],
    ),
  );
  const adapted = paths.flatMap((path) => {
    const content = /(?:^|\/)_content\.gotmpl$/.test(path)
      ? contents.find(({ folder }) => isBelow(path, folder))
      : undefined;
    return content === undefined ? [] : [toAddress(content.at, folderOf(relativeTo(path, content.folder)))];
  });
  const prefixes = [
    ...Object.values(isMap(taxonomies) ? taxonomies : lists).flatMap((name) => stringIn(name) ?? []),
    // A pattern that needs a date that is not known.
    ...[...sections].filter((section) => findPattern(permalinks, section)?.includes(':')),
    ...foreign,
    ...adapted,
  ].map((name) => toAddress(name));
  const codes = new Set(listCodes(settings));
  return (address) => {
    const names = address.toLowerCase().split('/').filter(Boolean);
    const plain = toAddress(...(codes.has(names[0] ?? '') ? names.slice(1) : names));
    return (
      plain === '/' ||
      others.has(toAddress(...names)) ||
      sections.has(plain.slice(1)) ||
      prefixes.some((prefix) => plain === prefix || isBelow(plain, prefix)) ||
      /\/(?:_?print|search|page\/\d+|index\.\w+)$/.test(plain)
    );
  };
}
