import type { PageFormat } from '../page-extensions.ts';
import type { LinkForm } from '../pages/list-links.ts';
import type { Page, PageEntry } from '../pages/read-page.ts';
import type { Slug } from '../pages/slugs.ts';

/** A place in a file, without quotes. A rewrite replaces `start` to `end`. */
export interface TextRange {
  file: string;
  line: number;
  start: number;
  end: number;
}

/** A path or an address in the navigation. The place is without the entry's anchor. */
export interface NavigationEntry extends TextRange {
  /** For people: a page's path, an id or an address. */
  target: string;
  /** Paths of files, addresses and names of pages that it may mean, in order: it leads to the first that exists. A folder ends with a slash. */
  means: readonly string[];
  /** Read from code that is not run: it may mean something else. */
  isCode: boolean;
  /** It stands for this page among others. */
  isPattern?: boolean;
  /** Of an entry that a page holds, on a line of its own. */
  form?: LinkForm;
}

/** Where a link in a notation of the framework leads. Without any of these, nobody knows. */
export interface LinkMeaning {
  /** Files in order: it leads to the first that exists. */
  paths?: readonly string[];
  anchor?: string;
  /** A name that a page declares. */
  label?: string;
  /** Something that is not in the repository may answer: the link is lost only if the change takes away where it led. */
  isOpen?: boolean;
}

/** The place is that of `to`, or of `from` if `to` is undefined. */
export interface Redirect extends TextRange {
  /** An address or a pattern of the host. */
  from: string;
  to: string | undefined;
  /** Only some visitors are sent on, such as those of one host or language. */
  isConditional?: boolean;
  /** Set if another redirect can be written after it. */
  entry?: RedirectEntry;
}

/** A redirect as it is written: a line or a block of lines, or an element of a list. */
export interface RedirectEntry {
  start: number;
  end: number;
  isLine: boolean;
  /** Where `from` is written, without quotes. */
  from: { start: number; end: number };
}

export interface Language {
  /** As the site calls it: `fr`, `zh-CN`. */
  code: string;
  /** The folder with its pages; undefined where they lie beside those of other languages. */
  folder: string | undefined;
  isDefault: boolean;
  /** Kept by a translation service: its configuration is in the repository. */
  isGenerated: boolean;
}

export interface SiteVersion {
  name: string;
  folder: string;
  isLatest: boolean;
}

/** How one site reads its files. Made from its configuration, which is parsed and never run. */
export interface SiteRules {
  /** The folder that the site is in; empty: the repository's root. */
  root: string;
  /** All folders that hold its pages: one may lie beside the root. */
  folders: readonly string[];
  /** The files that configure the site, without navigation and redirects in files of their own. */
  configurationFiles: readonly string[];
  /** Whether a Markdown file is a page or a part of one. */
  isPage(path: string): boolean;
  isMdx(path: string): boolean;
  /** How a file is written; undefined for one that the framework does not read. By default, Markdown or MDX. */
  formatOf?(path: string): PageFormat | undefined;
  /** What links mean where they are no addresses and no paths; undefined: the same as elsewhere. */
  findMeaning?(link: { target: string; form: LinkForm | undefined; from: string }): LinkMeaning | undefined;
  /** The same for the files that a page includes. */
  findPartMeaning?(target: string, from: string): LinkMeaning;
  /** Spellings of such a link, or of an entry, that lead to another file. */
  spell?(written: string, wanted: string, from: string): string[];
  /** Names by which all pages may link to a place of this one. By default, those that it declares. */
  labelsOf?(path: string, page: Page): readonly string[];
  /** An anchor leads to the page that has this name, wherever the link stands. */
  areLabelsShared?: boolean;
  /** What an entry means that a page holds. */
  readEntry?(path: string, entry: PageEntry): readonly Pick<NavigationEntry, 'target' | 'means'>[];
  /** Absolute, without the slash at the end; the first is the page's own. None: a part of other pages. */
  addressesOf(path: string, page: Page): string[];
  /** Names of a page in the navigation that are neither its path nor an address. */
  namesOf?(path: string, page: Page): string[];
  /** The prefix that links may have before every address of the site, such as `/docs`. Empty: none. */
  baseAddress: string;
  /** Absolute links must have the base address: the framework adds none. `mixed`: links to pages work without it, too. */
  needsBase?: true | 'mixed';
  /** Folders whose files are served at the root. */
  staticFolders: readonly string[];
  /** Folders that an absolute link may be relative to, for links to files. */
  linkRoots: readonly string[];
  /** Templates turn links of a translated page into links to pages of its language. */
  translatesLinks?: true;
  /** All addresses that a link on the page `from` may mean, in order: those of its language, and their fallbacks. */
  alternatives?(address: string, from: string): string[];
  /** Other files that a link to a file finds, such as the default language's, tried in order. */
  otherFiles?(path: string): string[];
  /** The addresses that relative links may be relative to, of a page with this address. Without it, links are not as browsers follow them. */
  basesOf?(address: string, path: string): string[];
  /** Whether an address, as it is written, leads to this page. By default, with and without a slash at its end. */
  answers?(path: string, written: string, isRaw: boolean): boolean;
  /** The case of addresses counts. */
  isCaseExact?: true;
  /** Relative links to files are never relative to the folder of all pages. */
  areLinksOfFolder?: true;
  /** Prefixes of links that stand for a folder: `@site/`. */
  aliases?: Readonly<Record<string, string>>;
  /** Links by reference may be defined outside of their page. */
  hasOpenReferences?: boolean;
  /** Whether the build adds anchors to this page that cannot be known. */
  makesAnchors?(page: Page): boolean;
  /** Whether the build, or the site, has nothing for a link that looks right. */
  refuses?(target: string, from: string): boolean;
  /** False for the address of a page, whatever its ending. By default, files answer links, too. */
  isFile?(address: string): boolean;
  /** Whether the build makes this file of the site. */
  isMade?(path: string): boolean;
  /** `$…$` in MDX is a formula. */
  hasMath?: boolean;
  /** Slugs are made from the Markdown of headings, marks included. */
  slugsMarks?: true;
  /** Makes the ids of a page's headings from their slugs, which may repeat. By default, `-1` is added. */
  numberSlugs?(slugs: readonly string[]): string[];
  /** Whether a relative link leads to another version, which lies in another branch. */
  isElsewhere?(address: string, from: string): boolean;
  /**
   * `dotted-files`: an address, or a file where the link begins with a dot. `named-files`: a file where the link has its ending; others are left
   * to the browser.
   */
  relativeLinks: 'files' | 'dotted-files' | 'named-files' | 'addresses' | 'both';
  /** False if absolute links lead outside of the repository. */
  areAbsoluteLinksChecked: boolean;
  /** False where attributes of HTML are left as they are. */
  areAttributesChecked: boolean;
  /** Attributes name addresses, never files. */
  areAttributesAddresses?: true;
  slug: Slug;
  /** Where the framework's own slugs are not published: only letters and digits are compared. */
  areSlugsLoose: boolean;
  /** Whether the build creates something at this address. */
  isDynamic(address: string): boolean;
  /** By the name of a component that all pages have: the pages whose text it shows. */
  registeredParts: ReadonlyMap<string, string[]>;
  navigation: readonly NavigationEntry[];
  /** The files that hold entries, or would hold them. The first is the main one. */
  navigationFiles: readonly string[];
  /** The keys of front matter by which a page names the titles of those above it in the navigation. */
  parentKeys?: readonly string[];
  /** Where new entries belong; undefined if the navigation is generated. */
  navigationFile: string | undefined;
  navigationFaults: readonly { file: string; line: number; message: string }[];
  /** Whether readers find a page only by an entry in the navigation. */
  mustBeListed(path: string, page: Page): boolean;
  redirects: readonly Redirect[];
  /** The files that hold redirects, or would hold them. */
  redirectFiles: readonly string[];
  /** Pages keep their old addresses in a list of their front matter. `write`: how it has the address that a page had. */
  pageAliases?: { key: string; write(address: string, path: string): string };
  /** The file with code that makes redirects: whether one answers at an address is not known. */
  redirectCode: string | undefined;
  /** Empty for a site in one language. */
  languages: readonly Language[];
  /** Empty for a site without versions. The newest first. */
  versions: readonly SiteVersion[];
}

/** The folder that a meaning of an entry names; undefined for a file or an address. */
export const folderIn = (meaning: string): string | undefined => /^([^/].*)\/$/.exec(meaning)?.[1];

/** Whether an entry stands for all pages of a folder. */
export const isOfFolder = ({ means }: NavigationEntry): boolean =>
  means.every((meaning) => folderIn(meaning) !== undefined);
