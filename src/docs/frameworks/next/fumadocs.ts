import { type Literal, readScript } from '../../formats/javascript.ts';
import { isMarkdown } from '../../page-extensions.ts';
import { type FileTree, isBelow, joinPath, nameOf, relativeTo } from '../../tree.ts';
import { pageAddress, toAddress } from '../addresses.ts';
import { type EntryRules, wholeFile } from '../edits/data-files.ts';
import { navigationRules, oneOf, titles } from '../edits/rules.ts';
import { type Framework, markedBy, words } from '../framework.ts';
import { findLanguageFolders, listLanguages } from '../languages.ts';
import { siteRules } from '../plain.ts';
import { findScript, scriptNames } from '../scripts.ts';
import type { SiteRules } from '../site-rules.ts';
import { listMetaPages } from './fumadocs-meta.ts';
import { next, nextImported, readNextConfiguration } from './next.ts';
import { readNextRoutes, withoutGroups } from './next-routes.ts';

/** https://fumadocs.dev/docs/ui/layouts/links */
const links: EntryRules = {
  keys: ['text', 'url', 'type', 'external', 'active', 'description', 'label', 'items', 'secondary', 'menu'],
  texts: titles,
  values: { type: oneOf('main menu button icon custom'), active: oneOf('url nested-url none') },
};

/** https://fumadocs.dev/docs/page-conventions */
export const fumadocs: Framework = {
  name: 'Fumadocs',
  hasExactAddresses: true,
  markers: [
    ...markedBy(...scriptNames('source.config')),
    ...['layout.shared.*', 'layout.config.*'].map((path) => ({ path, isOfPages: true }) as const),
  ],
  sites: { open: (tree, root) => [openFumadocs(tree, root)] },
  data: [wholeFile(/(?:^|\/)meta(?:\.[\w-]+)?\.json$/, 'json', navigationRules)],
  code: {
    files: [
      {
        path: /(?:^|\/)layout\.(?:config|shared)\.[jt]sx?$/,
        what: 'its links',
        containers: [
          { ...links, name: 'links', at: ['links'] },
          { ...links, name: 'links', at: [/^export .*links/i] },
        ],
      },
    ],
    imported: nextImported,
  },
  dialect: {
    // https://fumadocs.dev/docs/markdown
    components: words(`
      Callout CalloutContainer CalloutDescription CalloutTitle Card Cards CodeBlockTab CodeBlockTabs CodeBlockTabsList
      CodeBlockTabsTrigger`),
    names: ['frontmatter', 'toc', 'structuredData', 'lastModified', 'components'],
    needsTitle: true,
  },
  redirectForms: next.redirectForms ?? [],
};

function openFumadocs(tree: FileTree, root: string): SiteRules {
  const file = findScript(tree, root, 'source.config') ?? '';
  const next = findScript(tree, root, 'next.config');
  const { redirects, redirectFiles, redirectCode, baseAddress } = readNextConfiguration(tree, root, next ?? '');
  const helpers = listHelpers(tree, root).flatMap((path) => readScript(tree.read(path)).strings);
  const contents = listContents(readScript(tree.read(file)).strings, helpers, root);
  const contentOf = (path: string) => contents.find(({ folder }) => isBelow(path, folder));
  const folder = joinPath(root, 'content') ?? '';
  const served = contents.filter((content) => tree.hasFolder(content.folder)).map(({ address }) => address);
  const locales = helpers.filter(({ keys }) => keys.at(-1) === 'languages').map(({ value }) => value);
  const defaultCode = helpers.find(({ keys }) => keys.at(-1) === 'defaultLanguage')?.value ?? locales[0];
  const routes = readNextRoutes(tree, root);
  const meta = listMetaPages(tree, [folder, ...contents.map((content) => content.folder)]);
  return {
    ...siteRules(root, folder),
    ...meta,
    folders: [...new Set([folder, ...contents.map((content) => content.folder)])],
    configurationFiles: [file, next].filter((path) => path !== undefined && path !== '').map(String),
    isPage: (path) => isMarkdown(path) && (isBelow(path, folder) || contentOf(path) !== undefined),
    isMdx: () => true,
    addressesOf(path) {
      if (/\.(?:shared|model)\.mdx$/.test(path)) return [];
      const content = contentOf(path);
      const below = relativeTo(path, content?.folder ?? folder);
      return listAddresses(withoutGroups(below), content?.address ?? '/', { locales, defaultCode });
    },
    baseAddress,
    // A page that a language lacks is served in the default language.
    alternatives: (address) => [
      address,
      ...locales
        .filter((code) => isBelow(`${address}/`, `/${code}`))
        .map((code) => toAddress(address.slice(code.length + 1))),
    ],
    staticFolders: [joinPath(root, 'public') ?? ''],
    linkRoots: [],
    // `createRelativeLink` of Fumadocs leaves every other link to browsers: https://github.com/fuma-nama/fumadocs/releases/tag/fumadocs-ui@15.0.18
    relativeLinks: 'dotted-files',
    // The routes of other frameworks than Next.js are not read.
    isDynamic: (address) =>
      routes.has(address, served) ||
      (next === undefined && !contents.some((content) => isBelow(`${address}/`, content.address))),
    redirects,
    redirectFiles,
    redirectCode,
    languages: listLanguages(tree, {
      root,
      languages: findLanguageFolders(
        tree,
        contents.map(({ folder }) => folder),
        locales,
      ),
      defaultCode,
    }),
  };
}

/** Where the loaders and languages of a site are set up. */
const listHelpers = (tree: FileTree, root: string): string[] =>
  tree.named([...scriptNames('source', 'i18n', 'index'), 'i18n.config.ts']).filter((path) => {
    const below = relativeTo(path, root);
    return (
      isBelow(path, root) &&
      (/(?:^|\/)(?:lib|src\/lib|app|src)\/(?:source\/|i18n\/)?[^/]+$/.test(below) ||
        (/^[\w-]+\/source\.[jt]sx?$/.test(below) && /\bloader\(/.test(tree.read(path) ?? '')))
    );
  });

const blog = 'content/blog';

/**
 * `content/docs` is served at the `baseUrl` of its loader, which code connects: the one with its name, or the only one. A blog has routes
 * of its own.
 */
function listContents(strings: readonly Literal[], helpers: readonly Literal[], root: string) {
  const named = strings.filter(({ keys }) => keys.at(-1) === 'dir').map(({ value }) => value);
  const addresses = helpers.filter(({ keys, value }) => keys.at(-1) === 'baseUrl' && value.startsWith('/'));
  const names = [...new Set([...named, 'content/docs', blog])];
  const ownOf = (name: string) => `/${nameOf(name)}`;
  const free = addresses.filter(({ value }) => !names.some((name) => ownOf(name) === value));
  const contents = names.flatMap((name) => {
    const folder = joinPath(root, name);
    const own = ownOf(name);
    const hasOwn = addresses.length === 0 || addresses.some(({ value }) => value === own);
    const address = hasOwn || free.length > 1 || name === blog ? own : (free[0]?.value ?? own);
    return folder === undefined ? [] : [{ folder, address }];
  });
  // A folder of its own comes before the one around it.
  return contents.toSorted((a, b) => b.folder.length - a.folder.length);
}

function listAddresses(
  below: string,
  prefix: string,
  { locales, defaultCode }: { locales: readonly string[]; defaultCode: string | undefined },
): string[] {
  const suffix = /\.([^./]+)\.\w+$/.exec(below)?.[1];
  const folder = below.split('/', 1)[0] ?? '';
  const code = [suffix, folder].find((each) => each !== undefined && locales.includes(each));
  if (code === undefined) return [pageAddress(below, prefix)];
  const plain = code === suffix ? below.replace(`.${code}.`, '.') : relativeTo(below, code);
  const own = toAddress(code, pageAddress(plain, prefix));
  return code === defaultCode ? [pageAddress(plain, prefix), own] : [own];
}
