import { isMadeByCode } from '../../formats/javascript.ts';
import { type FileTree, folderOf, isBelow, joinPath, relativeTo } from '../../tree.ts';
import { toAddress } from '../addresses.ts';
import { type Framework, markedBy } from '../framework.ts';
import { siteRules } from '../plain.ts';
import { readHostRedirects } from '../redirects/host-redirects.ts';
import { readMapRedirects } from '../redirects/script-redirects.ts';
import { hasMath, scriptNames } from '../scripts.ts';
import type { SiteRules } from '../site-rules.ts';
import {
  type AstroConfiguration,
  addressesBelow,
  dynamicRoute,
  findServed,
  listRoutes,
  readConfiguration,
  type Served,
} from './astro-routes.ts';
import { isHiddenPath, isStarlight, readBase } from './open-starlight.ts';

/** A site of one's own: code of it turns the pages of collections into addresses. Of Starlight's sites, the configuration alone. */
export const astro: Framework = {
  name: 'Astro',
  markers: markedBy(...scriptNames('astro.config')),
  sites: { open: openAstro },
  redirectForms: [
    { file: /^astro\.config\./, write: (from, to) => `redirects: { '${from.address}': '${to.address}' }` },
  ],
};

function openAstro(tree: FileTree, root: string): SiteRules[] {
  const configuration = readConfiguration(tree, root);
  const served = findServed(tree, root, configuration);
  const isOwn = served.length > 0 && !isStarlight(tree, root, configuration);
  return isOwn ? [openServed(tree, root, { ...configuration, served })] : [];
}

function openServed(
  tree: FileTree,
  root: string,
  { file, text, script, routes, served }: AstroConfiguration & { served: readonly Served[] },
): SiteRules {
  const exact = listRoutes(tree, routes);
  const others = listOtherRoutes(tree, routes, served);
  const host = readHostRedirects(tree, root);
  const find = (path: string) => served.find(({ folder }) => isBelow(path, folder));
  return {
    ...siteRules(root),
    folders: served.map(({ folder }) => folder),
    configurationFiles: [file],
    isMdx: (path) => path.endsWith('.mdx'),
    isPage(path) {
      const own = find(path);
      return own !== undefined && !isHiddenPath(relativeTo(path, own.folder));
    },
    addressesOf(path, { frontMatter: { data } }) {
      const own = find(path);
      if (own === undefined) return [];
      return typeof data.slug === 'string' ? [toAddress(own.prefix, data.slug)] : addressesBelow(own, path);
    },
    baseAddress: readBase(script),
    needsBase: true,
    basesOf: (own) => [own, folderOf(own)],
    staticFolders: [joinPath(root, 'public') ?? ''],
    linkRoots: served.map(({ folder }) => folder),
    areSlugsLoose: true,
    hasMath: hasMath(text),
    isDynamic: (address) =>
      address === '/' || exact.has(address) || others.some((route) => route === '/' || isBelow(address, route)),
    redirects: [...readMapRedirects(script, file), ...host.redirects],
    redirectFiles: [...host.redirectFiles, file],
    redirectCode: isMadeByCode(text, 'redirects') ? file : undefined,
  };
}

/** Where routes answer that serve none of these folders, such as `/blog/[...page]`: by the names in front of the first bracket. */
const listOtherRoutes = (tree: FileTree, routes: string, served: readonly Served[]): string[] =>
  tree
    .below(routes)
    .map((path) => relativeTo(path, routes))
    .filter((path) => path.includes('['))
    .filter((path) => !served.some(({ prefix }) => dynamicRoute.test(path) && toAddress(folderOf(path)) === prefix))
    .map((path) => toAddress(folderOf(path.slice(0, path.indexOf('[') + 1))));
