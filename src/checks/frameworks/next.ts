import { githubSlug } from '../pages/slugs.ts';
import type { Framework } from '../sites/framework.ts';
import { type FileTree, folderOf, isBelow, joinPath } from '../tree.ts';
import { listLiterals } from './javascript.ts';
import { findFolders, isMarkdown, plainRules, withoutExtension, withoutIndex } from './plain.ts';
import { readRedirectSources } from './redirect-files.ts';
import { createRedirectTest } from './redirects.ts';

const configuration = /(?:^|\/)next\.config\.[cm]?[jt]s$/;

const findConfigurations = (tree: FileTree, mentions: RegExp) =>
  findFolders(tree.paths, configuration).filter((folder) => mentions.test(readConfiguration(tree, folder)));

const readConfiguration = (tree: FileTree, root: string) => {
  const file = [...tree.paths].find((path) => configuration.test(path) && folderOf(path) === root);
  return tree.read(file ?? '') ?? '';
};

const redirectsOf = (tree: FileTree, root: string) =>
  createRedirectTest([
    ...readRedirectSources(tree, root),
    ...listLiterals(readConfiguration(tree, root))
      .filter(({ keys }) => keys.at(-1) === 'source')
      .map(({ value }) => value),
  ]);

/** Folders in brackets group pages and do not show in addresses. https://nextjs.org/docs/app/api-reference/file-conventions/route-groups */
const withoutGroups = (path: string) =>
  path
    .split('/')
    .filter((name) => !/^\(.*\)$/.test(name))
    .join('/');

/** https://nextra.site/docs/file-conventions */
export const nextra: Framework = {
  name: 'Nextra',
  findRoots: (tree) => findConfigurations(tree, /nextra/),
  open(tree, root) {
    const folders = ['app', 'src/app', 'content', 'src/content', 'pages', 'src/pages'].map(
      (name) => joinPath(root, name) ?? '',
    );
    const folderOfPage = (path: string) => folders.find((folder) => isBelow(path, folder));
    const routes = new Set(
      [...tree.paths]
        .filter((path) => /\/page\.[jt]sx?$/.test(path) && folderOfPage(path) !== undefined)
        .map((path) => `/${withoutGroups(folderOf(path).slice((folderOfPage(path) ?? '').length + 1))}`),
    );
    const redirected = redirectsOf(tree, root);
    return {
      ...plainRules(root),
      isPage: (path) => isMarkdown(path) && folderOfPage(path) !== undefined,
      isMdx: () => true,
      addressesOf(path) {
        const below = withoutExtension(path.slice((folderOfPage(path) ?? '').length + 1));
        const isApp = /(?:^|\/)app$/.test(folderOfPage(path) ?? '');
        if (isApp && !/(?:^|\/)page$/.test(below)) return [];
        return [`/${withoutGroups(withoutIndex(isApp ? below.replace(/\/?page$/, '') : below))}`];
      },
      staticFolders: [joinPath(root, 'public') ?? ''],
      linkRoots: [],
      relativeLinks: 'both',
      areAbsoluteLinksChecked: true,
      slug: githubSlug,
      isRedirected: (address) => redirected(address) || routes.has(address) || matchesRoute(address, routes),
    };
  },
};

/** `[name]` stands for one name that only a build knows; `[...rest]` excuses nothing. */
const matchesRoute = (address: string, routes: ReadonlySet<string>) =>
  [...routes].some((route) => {
    const names = route.split('/');
    const asked = address.split('/');
    return (
      route.includes('[') &&
      names.length === asked.length &&
      names.every((name, index) => /^\[[^.]+\]$/.test(name) || name === asked[index])
    );
  });

/** https://fumadocs.dev/docs/page-conventions */
export const fumadocs: Framework = {
  name: 'Fumadocs',
  findRoots: (tree) => findFolders(tree.paths, /(?:^|\/)source\.config\.[cm]?[jt]s$/),
  open(tree, root) {
    const folder = joinPath(root, 'content') ?? '';
    return {
      ...plainRules(root),
      isPage: (path) => isMarkdown(path) && isBelow(path, folder),
      isMdx: () => true,
      addressesOf: (path) =>
        /\.(?:shared|model)\.mdx$/.test(path)
          ? []
          : [
              `/${withoutGroups(withoutIndex(withoutExtension(path.slice(folder.length + 1))))}`.replace(
                /(?<=.)\/$/,
                '',
              ),
            ],
      staticFolders: [joinPath(root, 'public') ?? ''],
      linkRoots: [],
      relativeLinks: 'both',
      areAbsoluteLinksChecked: true,
      slug: githubSlug,
      isRedirected: redirectsOf(tree, root),
    };
  },
};
