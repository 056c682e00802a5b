import { isMadeByCode, readJsonScript, readScript } from '../../formats/javascript.ts';
import { isMarkdown } from '../../page-extensions.ts';
import { type FileTree, folderOf, isBelow, joinPath, relativeTo } from '../../tree.ts';
import { leastLinks, leastShare, measureLinks, pageAddress, toAddress } from '../addresses.ts';
import { type CodeFile, type EntryRules, wholeFile } from '../edits/data-files.ts';
import { isPath, isSource, navigationRules, redirectRules } from '../edits/rules.ts';
import { type Framework, markedBy } from '../framework.ts';
import { siteRules } from '../plain.ts';
import { type Redirects, readHostRedirects } from '../redirects/host-redirects.ts';
import { readObjectRedirects } from '../redirects/script-redirects.ts';
import { findScript, scriptNames, toEntry } from '../scripts.ts';
import type { NavigationEntry, SiteRules } from '../site-rules.ts';
import { readNextRoutes } from './next-routes.ts';

/** https://nextjs.org/docs/app/api-reference/config/next-config-js/redirects; a condition such as `has` stays as it is. */
const redirects: EntryRules = { ...redirectRules, keys: [...redirectRules.keys, 'basePath', 'locale'] };

/** A rewrite to another host would be a proxy. */
const rewrites: EntryRules = {
  keys: ['source', 'destination', 'basePath', 'locale', 'beforeFiles', 'afterFiles', 'fallback'],
  texts: ['source'],
  values: { source: isSource, destination: isPath },
};

/** Code of the site reads them: only what navigations have everywhere. */
const sidebarRules: EntryRules = {
  ...navigationRules,
  keys: [...navigationRules.keys, 'path', 'to', 'routes', 'children', 'heading', 'sectionHeader', 'hasSectionHeader'],
};

const configuration: CodeFile = {
  path: /^next\.config\.[cm]?[jt]sx?$/,
  what: 'its redirects and rewrites',
  containers: [
    { ...redirects, name: 'redirects', at: ['redirects'], canBeAdded: 'async method' },
    { ...rewrites, name: 'rewrites', at: ['rewrites'] },
  ],
};

export const nextImported: CodeFile = {
  what: 'its redirects and rewrites',
  containers: [
    { ...redirects, name: 'redirects', at: [/^export .*redirects/i] },
    { ...rewrites, name: 'rewrites', at: [/^export .*rewrites/i] },
  ],
};

/** Below the root, in lower case: lists of pages that code of the site reads. */
const sidebarFile =
  /^(?!public\/|node_modules\/)(?:[\w.-]{1,60}\/){0,4}[\w-]{0,40}(?:sidebar|navigation)[\w-]{0,40}\.json$/;

/** Of sites that Nextra or Fumadocs builds on it, the configuration alone. */
export const next: Framework = {
  name: 'Next.js',
  markers: markedBy(...scriptNames('next.config')),
  sites: { open: openContentFolder },
  data: [wholeFile(sidebarFile, 'json', sidebarRules)],
  code: { files: [configuration], imported: nextImported },
  built: /^\.next\//,
  redirectForms: [
    {
      file: /^next\.config\./,
      write: (from, to) =>
        `async redirects() { return [{ source: '${from.address}', destination: '${to.address}', permanent: true }]; }`,
    },
  ],
};

interface ContentFolder {
  folder: string;
  /** In front of the addresses of its pages. */
  prefix: string;
}

const likely = ['content', 'docs', 'posts', 'pages', 'data'].flatMap((name) => [name, `src/${name}`]);
/**
 * Of a site that reads its pages by code of its own: the folder below which the pages have the addresses that their links name. Undefined: the
 * links do not show it.
 */
function findContentFolder(tree: FileTree, root: string): ContentFolder | undefined {
  if (/nextra|fumadocs/.test(tree.read(findScript(tree, root, 'next.config') ?? '') ?? '')) return undefined;
  const routes = readNextRoutes(tree, root);
  const folders = likely.flatMap((name) => joinPath(root, name) ?? []).filter((path) => tree.hasFolder(path));
  const found = folders.flatMap((folder) => {
    const pages = tree.below(folder).filter(isMarkdown);
    return ['', ...routes.catchAlls].map((prefix) => {
      const addresses = new Set(pages.map((path) => pageAddress(relativeTo(path, folder), prefix)));
      return { folder, prefix, ...measureLinks(tree, pages, { addresses, isMeant: (target) => !routes.has(target) }) };
    });
  });
  const [best] = found.toSorted((a, b) => b.share - a.share || b.right - a.right);
  return best !== undefined && best.right >= leastLinks && best.share >= leastShare ? best : undefined;
}

function openContentFolder(tree: FileTree, root: string): SiteRules[] {
  const found = findContentFolder(tree, root);
  if (found === undefined) return [];
  const { folder, prefix } = found;
  const file = findScript(tree, root, 'next.config') ?? '';
  const { locales, defaultLocale, ...configuration } = readNextConfiguration(tree, root, file);
  const routes = readNextRoutes(tree, root);
  const addresses = new Set(
    tree
      .below(folder)
      .filter(isMarkdown)
      .map((path) => pageAddress(relativeTo(path, folder), prefix)),
  );
  return [
    {
      ...siteRules(root, folder),
      ...configuration,
      navigation: tree
        .below(root)
        .filter((path) => sidebarFile.test(relativeTo(path, root).toLowerCase()))
        .flatMap((path) => listSidebarEntries(tree, path, addresses)),
      configurationFiles: [file],
      isMdx: (path) => path.endsWith('.mdx'),
      addressesOf: (path) => [pageAddress(relativeTo(path, folder), prefix)],
      alternatives: (address) => [
        address,
        ...[...locales, defaultLocale].flatMap((code) =>
          code !== undefined && isBelow(address, `/${code}`) ? [address.slice(code.length + 1)] : [],
        ),
      ],
      basesOf: (own) => [own, folderOf(own)],
      staticFolders: [joinPath(root, 'public') ?? ''],
      areSlugsLoose: true,
      isDynamic: (address) => address === '/' || routes.has(address),
    },
  ];
}

/** The entries of a list that the code of the site shows; none of a file whose addresses are mostly no pages. */
function listSidebarEntries(tree: FileTree, file: string, addresses: ReadonlySet<string>): NavigationEntry[] {
  const links = readJsonScript(tree.read(file)).strings.filter(
    ({ value, keys }) => /^(?:path|href|url|link|slug|to)$/.test(keys.at(-1) ?? '') && /^\/(?!\/)/.test(value),
  );
  const right = links.filter(({ value }) => addresses.has(value)).length;
  if (right < leastLinks || right < links.length * leastShare) return [];
  return links.map((link) => toEntry(link, { file, means: [link.value], isCode: false }));
}

/** The addresses and redirects of `next.config`. https://nextjs.org/docs/app/api-reference/config/next-config-js/redirects */
export function readNextConfiguration(
  tree: FileTree,
  root: string,
  file: string,
): Redirects & {
  redirectCode: string | undefined;
  baseAddress: string;
  locales: string[];
  defaultLocale: string | undefined;
} {
  const host = readHostRedirects(tree, root);
  const script = readScript(tree.read(file));
  const redirects = [...readObjectRedirects(script, { file, from: 'source', to: 'destination' }), ...host.redirects];
  const readAll = (key: string) => script.strings.filter(({ keys }) => keys.at(-1) === key).map(({ value }) => value);
  return {
    redirects,
    redirectFiles: [
      ...new Set([
        ...redirects.map((redirect) => redirect.file),
        ...host.redirectFiles,
        ...(tree.paths.has(file) ? [file] : []),
      ]),
    ],
    redirectCode: isMadeByCode(tree.read(file), 'redirects') ? file : undefined,
    baseAddress: toAddress(readAll('basePath')[0] ?? '').replace(/^\/$/, ''),
    locales: readAll('locales'),
    defaultLocale: readAll('defaultLocale')[0],
  };
}
