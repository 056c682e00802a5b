import { isMarkdown } from '../../page-extensions.ts';
import { type FileTree, isBelow, joinPath, nameOf, relativeTo } from '../../tree.ts';
import { pageAddress, toAddress } from '../addresses.ts';
import { type EntryRules, wholeFile } from '../edits/data-files.ts';
import { namesRules, oneOf, titles } from '../edits/rules.ts';
import type { Framework } from '../framework.ts';
import { findLanguageFolders, listLanguages } from '../languages.ts';
import { siteRules } from '../plain.ts';
import { findScript, hasMath, scriptNames } from '../scripts.ts';
import type { SiteRules } from '../site-rules.ts';
import { next, nextImported, readNextConfiguration } from './next.ts';
import { readNextRoutes, withoutGroups } from './next-routes.ts';
import { listMetaEntries } from './nextra-meta.ts';

/** A page may have any name; `theme` only shows and hides parts of it. */
const entries: EntryRules = {
  keys: 'any',
  texts: titles,
  values: { type: oneOf('page menu separator doc'), display: oneOf('normal hidden children') },
};

/** https://nextra.site/docs/file-conventions; version 3 has `pages/`: https://nextra.site/docs/docs-theme/start */
export const nextra: Framework = {
  name: 'Nextra',
  hasExactAddresses: true,
  markers: [
    ...scriptNames('next.config').map((path) => ({ path, contains: /nextra/ })),
    ...['theme.config.*', '_meta.*'].map((path) => ({ path, isOfPages: true }) as const),
  ],
  sites: { open: (tree, root) => [openNextra(tree, root)] },
  // https://nextra.site/docs/file-conventions/meta-file
  data: [
    wholeFile(/(?:^|\/)_meta(?:\.[\w-]+)?\.json$/, 'json', { ...namesRules, links: ['href', 'url', 'link', 'src'] }),
  ],
  code: {
    files: [
      {
        path: /(?:^|\/)_meta(?:\.[\w-]+)?\.[cm]?[jt]sx?$/,
        what: 'its entries',
        containers: [{ ...entries, name: 'entries', at: [], holdsPages: true, displayKeys: ['theme'] }],
      },
    ],
    imported: nextImported,
  },
  dialect: {
    isMdx: 'maybe',
    // https://nextra.site/docs/guide/markdown
    components: ['Head'],
    names: ['metadata', 'toc', 'frontMatter', 'components'],
    // https://nextra.site/docs/file-conventions/mdx-components-file: other files make components for pages of their own.
    registry: /(?:^|\/)mdx-components\.[cm]?[jt]sx?$/,
  },
  redirectForms: next.redirectForms ?? [],
};

const folderNames = ['app', 'src/app', 'content', 'src/content', 'pages', 'src/pages'];

function openNextra(tree: FileTree, root: string): SiteRules {
  const file = findScript(tree, root, 'next.config') ?? '';
  const { locales, defaultLocale, ...configuration } = readNextConfiguration(tree, root, file);
  const folders = folderNames.flatMap((name) => joinPath(root, name) ?? []).filter((folder) => tree.hasFolder(folder));
  const folderOfPage = (path: string) => folders.find((folder) => isBelow(path, folder)) ?? root;
  const routes = readNextRoutes(tree, root);
  const [shortest = ''] = routes.catchAlls.toSorted((a, b) => a.length - b.length);
  const remote = routes.catchAlls.filter((prefix) => prefix !== '/' && prefix !== shortest);
  const addressOf = (path: string): string | undefined => {
    const folder = folderOfPage(path);
    const { below } = splitLocale(relativeTo(path, folder), locales);
    if (folder.endsWith('pages')) return pageAddress(below);
    if (folder.endsWith('content')) return withPrefix(pageAddress(below), shortest, locales);
    const page = /^(?:(.*)\/)?page\.mdx?$/.exec(below);
    return page ? toAddress(withoutGroups(page[1] ?? '')) : undefined;
  };
  const { navigation, files } = listMetaEntries(tree, { folders, addressOf });
  return {
    ...siteRules(root),
    ...configuration,
    folders,
    configurationFiles: file === '' ? [] : [file],
    isPage: (path) => isMarkdown(path) && folders.some((folder) => isBelow(path, folder)),
    isMdx: () => true,
    addressesOf(path) {
      const address = addressOf(path);
      if (address === undefined) return [];
      const { locale } = splitLocale(nameOf(path), locales);
      if (locale === undefined) return [address];
      const own = toAddress(locale, address);
      return locale === (defaultLocale ?? locales[0]) ? [address, own] : [own];
    },
    hasMath: hasMath(tree.read(file) ?? ''),
    // Its middleware sends an address without a language to that of the reader, and a language lacks what it has no page for.
    alternatives(address, from) {
      const { locale } = splitLocale(nameOf(from), locales);
      if (locale !== undefined) return [toAddress(locale, address), address];
      const own = locales.filter((each) => from.includes(`/${each}/`));
      return [address, ...(own.length > 0 ? own : locales).map((each) => toAddress(each, address))];
    },
    staticFolders: [joinPath(root, 'public') ?? ''],
    linkRoots: [],
    isDynamic: (address) => routes.has(address) || remote.some((prefix) => isBelow(`${address}/`, prefix)),
    navigation,
    navigationFiles: files,
    languages: listLanguages(tree, {
      root,
      languages: findLanguageFolders(tree, folders, locales),
      defaultCode: defaultLocale ?? locales[0],
    }),
  };
}

/** `index.en-US.mdx` is `index.mdx` in `en-US`. */
function splitLocale(below: string, locales: readonly string[]): { below: string; locale: string | undefined } {
  const locale = /\.([^./]+)\.\w+$/.exec(below)?.[1];
  return locale !== undefined && locales.includes(locale)
    ? { below: below.replace(`.${locale}.`, '.'), locale }
    : { below, locale: undefined };
}

/** A language comes before the route's own address. */
function withPrefix(address: string, prefix: string, locales: readonly string[]): string {
  const [, first = '', ...rest] = address.split('/');
  return locales.includes(first) ? toAddress(first, prefix, ...rest) : toAddress(prefix, address);
}
