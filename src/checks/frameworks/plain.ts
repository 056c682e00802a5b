import { githubSlug } from '../pages/slugs.ts';
import type { Framework, SiteRules } from '../sites/framework.ts';
import { folderOf, isBelow } from '../tree.ts';

export const isMarkdown = (path: string): boolean => /\.(?:md|mdx|mdoc|markdown)$/i.test(path);

export const withoutExtension = (path: string): string => path.replace(/\.(?:md|mdx|mdoc|markdown)$/i, '');

/** `guides/index` and `guides/README` are `guides`. */
export const withoutIndex = (path: string): string => path.replace(/(^|\/)(?:index|README)$/i, '').replace(/\/$/, '');

/** Files that GitHub shows: links lead to files. Other frameworks begin with these rules. */
export const plainRules = (root: string): SiteRules => ({
  root,
  folders: [root],
  isPage: (path) => isBelow(path, root) && isMarkdown(path),
  isMdx: (path) => path.endsWith('.mdx'),
  addressesOf: () => [],
  staticFolders: [],
  linkRoots: [root],
  relativeLinks: 'files',
  areAbsoluteLinksChecked: false,
  areAttributesChecked: true,
  slug: githubSlug,
  areSlugsLoose: false,
  isRedirected: () => false,
  registeredParts: new Map(),
  navigation: [],
  navigationFile: undefined,
  navigationFaults: [],
  mustBeListed: () => false,
});

export const plain: Framework = {
  name: 'Markdown',
  findRoots: () => [''],
  open: (_tree, root) => plainRules(root),
};

export const findFolders = (paths: Iterable<string>, name: RegExp): string[] => [
  ...new Set([...paths].filter((path) => name.test(path) && !/(?:^|\/)node_modules\//.test(path)).map(folderOf)),
];
