import { readScript, type Script } from '../../formats/javascript.ts';
import { isMarkdown } from '../../page-extensions.ts';
import { githubSlug } from '../../pages/slugs.ts';
import { type FileTree, isBelow, joinPath, relativeTo } from '../../tree.ts';
import { leastLinks, leastShare, measureLinks, toAddress, withoutExtension, withoutIndex } from '../addresses.ts';
import { findScript } from '../scripts.ts';

/** A folder of pages, and what stands in front of their addresses. */
export interface Served {
  folder: string;
  prefix: string;
}

export type AstroConfiguration = ReturnType<typeof readConfiguration>;

export const readConfiguration = (tree: FileTree, root: string) => {
  const file = findScript(tree, root, 'astro.config') ?? '';
  const text = tree.read(file) ?? '';
  const script = readScript(text);
  // https://docs.astro.build/en/reference/configuration-reference/#srcdir
  const source = joinPath(root, readTopLevel(script, 'srcDir') ?? 'src') ?? root;
  return { file, text, script, source, routes: joinPath(source, 'pages') ?? '' };
};

/** https://docs.astro.build/en/guides/routing/#dynamic-routes */
export const dynamicRoute = /^((?:[^[\]/]+\/)*)\[(?:\.\.\.)?\w+\]\.astro$/;
/** A route takes each entry of one collection by its id: what it does beside this, links show. */
function findCollection(text: string): string | undefined {
  const [, paths = ''] = text.split('getStaticPaths', 2);
  const [before = '', after = ''] = paths.split(/params\s{0,9}:/, 2);
  const [, name] = /getCollection\(\s{0,9}['"`]([\w-]+)['"`]/.exec(before) ?? [];
  return /^\s{0,99}\{\s{0,99}\w{1,60}\s{0,9}:\s{0,99}\w{1,60}\.(?:id|slug)\b/.test(after) ? name : undefined;
}

export function findServed(tree: FileTree, root: string, { source, routes }: AstroConfiguration): Served[] {
  const collections = readCollections(tree, root, source);
  const served = tree.below(routes).flatMap((path): Served[] => {
    const [, prefix] = dynamicRoute.exec(relativeTo(path, routes)) ?? [];
    const name = prefix === undefined ? undefined : findCollection(tree.read(path) ?? '');
    const folder = name && collections(name);
    return folder && prefix !== undefined ? [{ folder, prefix: toAddress(prefix) }] : [];
  });
  const listPages = ({ folder }: Served) => tree.below(folder).filter(isMarkdown);
  const all = served.flatMap(listPages);
  return served.filter((each) => {
    const addresses = new Set(listPages(each).flatMap((path) => addressesBelow(each, path)));
    const isMeant = (target: string) => each.prefix !== '/' && isBelow(target, each.prefix);
    const { total, share } = measureLinks(tree, all, { addresses, isMeant });
    return addresses.size > 0 && (total < leastLinks || share >= leastShare);
  });
}

const pair = /(?<![\w])(\w{1,60}):[ \t]{0,9}(\w{1,60})(?=[\s,}])/g;

/** Where a collection has its pages. https://docs.astro.build/en/guides/content-collections/#built-in-loaders */
function readCollections(tree: FileTree, root: string, source: string): (name: string) => string | undefined {
  const file = findScript(tree, source, 'content.config', 'content/config');
  const script = readScript(tree.read(file ?? ''));
  const bases = script.strings.filter(({ keys }) => keys.includes('loader') && keys.at(-1) === 'base');
  const renamed = new Map(
    Array.from((tree.read(file ?? '') ?? '').matchAll(pair), ([, key, variable]) => [key, variable]),
  );
  return (name) => {
    const base = bases.find(({ keys }) =>
      [name, renamed.get(name)].some((each) => each !== undefined && keys.includes(each)),
    );
    const folder = base === undefined ? joinPath(source, `content/${name}`) : joinPath(root, base.value);
    return folder !== undefined && tree.hasFolder(folder) ? folder : undefined;
  };
}

/** Of an index, with and without its name: a loader names it, and routes leave it out. */
export function addressesBelow({ folder, prefix }: Served, path: string): string[] {
  const id = slugPath(withoutExtension(relativeTo(path, folder)));
  const own = toAddress(prefix, id.replace(/(?:^|\/)index$/, ''));
  return id === 'index' ? [own, toAddress(prefix, id)] : [own];
}

/** https://docs.astro.build/en/guides/content-collections/#defining-the-collection-loader */
export const slugPath = (path: string): string => path.split('/').map(githubSlug).join('/');

/** Pages of Astro itself. */
export const listRoutes = (tree: FileTree, folder: string): Set<string> =>
  new Set(
    tree
      .below(folder)
      .filter((path) => !path.includes('['))
      .map((path) => toAddress(withoutIndex(relativeTo(path, folder).replace(/\.(?:astro|html|mdx?|[jt]s)$/, '')))),
  );

/** Of `defineConfig`, not of an option below it. */
export const readTopLevel = ({ strings }: Script, key: string): string | undefined =>
  strings.find(({ keys, objects }) => keys.at(-1) === key && objects.length === 1)?.value;
