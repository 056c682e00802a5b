import type { FileTree } from '../tree.ts';
import type { CodeFile, DataFile } from './edits/data-files.ts';
import type { SiteRules } from './site-rules.ts';

/** Everything that Pagewright knows about one documentation framework. Checks, policy, moves and overviews read nothing else. */
export interface Framework {
  name: string;
  /** Each makes a folder a root of the framework. */
  markers: readonly Marker[];
  /** How its sites are read. Without it, links of its pages are checked as on GitHub. */
  sites?: {
    /** By default, the folders of the markers. */
    findRoots?(tree: FileTree): string[];
    /** None, one site, or several that share a root, such as one for each language. The first has the pages that two of them claim. */
    open(tree: FileTree, root: string): SiteRules[];
  };
  /** How its pages are read. */
  dialect?: PageDialect;
  /** Its files of which the data may change, and nothing else. */
  data?: readonly DataFile[];
  /** The same for code, and for what such code imports. */
  code?: { files: readonly CodeFile[]; imported: CodeFile };
  /** Files that a configuration names and that belong to it. `list`: as written, relative to the file that names them. */
  configurationParts?: { list(text: string): string[]; file: DataFile };
  /** Paths below the root, in lower case, that a build runs as templates. */
  templates?: readonly RegExp[];
  /** Folders of templates that a configuration names, relative to it. */
  listTemplateFolders?(text: string): string[];
  /** Paths, in lower case, of translations that are published as pages. */
  translations?: RegExp;
  /** Paths below the root, in lower case, that a build makes. */
  built?: RegExp;
  /** Of two pages with the same address, readers see only one: the address is the whole name of what a build writes. */
  hasExactAddresses?: true;
  /** Its configuration always has a place for redirects, whether or not the site has any. */
  keepsRedirects?: true;
  /** How the first redirect of a site is written, by the file that it belongs into. */
  redirectForms?: readonly RedirectForm[];
}

export interface Marker {
  /** Below the root, in lower case. A `*` stands for any part of a name; a folder ends with a slash. */
  path: string;
  /** The file marks a root only if it holds this. */
  contains?: RegExp;
  /** It tells how the pages below it are read; their site has its root in another folder. */
  isOfPages?: true;
}

/** What is special about the pages of a framework. */
export interface PageDialect {
  /** Whether Markdown is MDX, whatever its extension. `maybe`: where the configuration says so, which the checks do not read. */
  isMdx?: 'always' | 'maybe';
  /** Words behind the language of a code block are its title, and nothing else. */
  titlesCode?: true;
  /** What its MDX has besides MDX: `<!-- … -->`, `## Title {#id}`, `{{variable-name}}`. */
  mdx?: { comments?: true; headingIds?: true; variables?: true };
  /** Builds copy or read the files that links and images of its pages name. */
  copiesFiles?: true;
  /** Pages are templates of Vue, or of Svelte. `optional`: where Vue is loaded; other pages are HTML, in which tags may stay open. */
  vue?: true | 'optional';
  /** `::: v-pre` shows templates of Vue as they are. */
  vueBlocks?: true;
  svelte?: true;
  /** Markdown has components of Vue: `::card{to="/x"}`. */
  mdc?: true;
  /** The reader of its Markdown, if it is not CommonMark. */
  markdown?: 'python' | 'kramdown' | 'pandoc' | 'unindented';
  /** Builds run code of its pages: blocks with a language in braces (`{r}`), or every block of code. */
  cells?: 'braced' | 'every';
  /** Every site shows formulas; elsewhere, the configuration says so. */
  math?: 'always';
  /** Template languages that are expanded in the source of a page; `contains`: only if the configuration holds this; `only`: of these pages. */
  templates?: readonly { language: TemplateLanguage; contains?: RegExp; only?: 'markdown' }[];
  /** Values of front matter that choose a layout of the framework itself. */
  layouts?: readonly string[];
  /** Components that every page has without an import. Undefined: pages may get components from unknown places. */
  components?: readonly string[];
  /** Names that every page of MDX may read in braces. */
  names?: readonly string[];
  /** The only files that register more components; by default, any code. */
  registry?: RegExp;
  /** Parts of pages read the attributes of the tags that show them. */
  passesAttributes?: true;
  /** Blocks that have to be closed: `::: tip` to `:::`, or `{% hint %}` to `{% endhint %}`. */
  blocks?: 'colons' | 'tags';
  needsTitle?: true;
}

export type TemplateLanguage =
  | 'liquid'
  | 'gitbook'
  | 'markdoc'
  | 'hugo'
  | 'zola'
  | 'mdbook'
  | 'snippets'
  | 'docsify'
  | 'quarto';

/** Where a page is, or was. */
export interface PagePlace {
  path: string;
  address: string;
}

export interface RedirectForm {
  /** The name of the file. */
  file: RegExp;
  /** Paths are below the folder of the pages. */
  write(from: PagePlace, to: PagePlace): string;
  /** Targets are relative to the page at the old address. */
  isRelative?: true;
}

/** Markers that need nothing but their name. */
export const markedBy = (...paths: string[]): Marker[] => paths.map((path) => ({ path }));

/** Words of a list that is long to quote. */
export const words = (list: string): string[] => list.trim().split(/\s+/);
