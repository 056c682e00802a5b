import type { Page } from '../pages/read-page.ts';
import type { Slug } from '../pages/slugs.ts';
import type { FileTree } from '../tree.ts';

/** A path in the navigation, as it stands there. */
export interface NavigationEntry {
  /** A page's path without its extension, or an address. */
  target: string;
  file: string;
  line: number;
  /** Where the path or address stands in the file, without quotes and anchor: a rewritten entry replaces `start` to `end`. */
  start: number;
  end: number;
}

/** How one site reads its files. Made from its configuration, which is parsed and never run. */
export interface SiteRules {
  /** The folder that the site is in; empty: the repository's root. */
  root: string;
  /** All folders that hold its pages: one may lie beside the root. */
  folders: readonly string[];
  /** Whether a text file is a page or a part of one. */
  isPage(path: string): boolean;
  isMdx(path: string): boolean;
  /** Absolute, without the slash at the end; the first is the page's own. None: a part of other pages. */
  addressesOf(path: string, page: Page): string[];
  /** Folders whose files are served at the root. */
  staticFolders: readonly string[];
  /** Folders that an absolute link may be relative to, for links to files. */
  linkRoots: readonly string[];
  /** Other addresses of the same page, such as the default language's, tried in order. */
  alternatives?(address: string): string[];
  relativeLinks: 'files' | 'addresses' | 'both';
  /** False where absolute links lead outside of what the repository holds. */
  areAbsoluteLinksChecked: boolean;
  areAttributesChecked: boolean;
  slug: Slug;
  /** Where the framework's own slugs are not published: only letters and digits are compared. */
  areSlugsLoose: boolean;
  /** Whether something that the build makes answers at this address. */
  isRedirected(address: string): boolean;
  /** By the name of a component that all pages have: the pages whose text it shows. */
  registeredParts: ReadonlyMap<string, string[]>;
  navigation: readonly NavigationEntry[];
  /** Undefined where the navigation makes itself, or is code. */
  navigationFile: string | undefined;
  /** Why a navigation file cannot be read. */
  navigationFaults: readonly { file: string; line: number; message: string }[];
  /** Whether readers find a page only by an entry in the navigation. */
  mustBeListed(path: string): boolean;
}

export interface Framework {
  name: string;
  /** The folders that hold such a site, by their configuration. */
  findRoots(tree: FileTree): string[];
  open(tree: FileTree, root: string): SiteRules;
}
