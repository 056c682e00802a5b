import { isMarkdown } from '../page-extensions.ts';
import { githubSlug } from '../pages/slugs.ts';
import { isBelow } from '../tree.ts';
import type { Framework } from './framework.ts';
import type { SiteRules } from './site-rules.ts';

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

/** Of a site whose pages have addresses, to which absolute links lead, too. */
export const siteRules = (root: string, folder = root): SiteRules => ({
  ...plainRules(root),
  folders: [folder],
  isPage: (path) => isBelow(path, folder) && isMarkdown(path),
  isMdx: () => false,
  staticFolders: [folder],
  linkRoots: [folder],
  relativeLinks: 'both',
  areAbsoluteLinksChecked: true,
});

/** Of the pages that are on no site. */
export const plain: Framework = { name: 'Markdown', markers: [] };
