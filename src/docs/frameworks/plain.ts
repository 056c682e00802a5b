import { isMarkdown } from '../page-extensions.ts';
import { githubSlug } from '../pages/slugs.ts';
import type { Framework, SiteRules } from '../sites/framework.ts';
import { isBelow } from '../tree.ts';

/** Files that GitHub shows: links lead to files. Other frameworks begin with these rules. */
export const plainRules = (root: string): SiteRules => ({
  root,
  folders: [root],
  configurationFiles: [],
  isPage: (path) => isBelow(path, root) && isMarkdown(path),
  isMdx: (path) => path.endsWith('.mdx'),
  addressesOf: () => [],
  baseAddress: '',
  staticFolders: [],
  linkRoots: [root],
  relativeLinks: 'files',
  areAbsoluteLinksChecked: false,
  areAttributesChecked: true,
  slug: githubSlug,
  areSlugsLoose: false,
  isDynamic: () => false,
  registeredParts: new Map(),
  navigation: [],
  navigationFiles: [],
  navigationFile: undefined,
  navigationFaults: [],
  mustBeListed: () => false,
  redirects: [],
  redirectFiles: [],
  redirectCode: undefined,
  languages: [],
  versions: [],
});

export const plain: Framework = {
  name: 'Markdown',
  findRoots: () => [''],
  open: (_tree, root) => plainRules(root),
};
