// Which files are pages: a row per kind of file.

/** Read by the frameworks whose sites are checked. */
export const markdownExtensions = ['md', 'mdx', 'mdoc', 'markdown'] as const;

/** Pages of other tools: their links are not checked. */
export const otherPageExtensions = ['rst', 'adoc', 'asciidoc', 'qmd', 'rmd'] as const;

/** Texts beside pages: plain text and translations of messages. */
const proseExtensions = ['txt', 'po', 'pot'] as const;

export const extensionOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';

const hasOneOf =
  (extensions: readonly string[]) =>
  (path: string): boolean =>
    extensions.includes(extensionOf(path));

export const isMarkdown = hasOneOf(markdownExtensions);

const allExtensions = [...markdownExtensions, ...otherPageExtensions, ...proseExtensions];

/** Text that people write for people, in any markup. */
export const isProse = hasOneOf(allExtensions);

/** In a markup of pages: no other program reads it by its name, as it may a text file. */
export const isWrittenPage = hasOneOf([...markdownExtensions, ...otherPageExtensions]);

/** For git: all such text of a commit, in any letter case. */
export const prosePathspecs = allExtensions.map((extension) => `:(icase,glob)**/*.${extension}`);

/** All other files. */
export const otherPathspecs = ['.', ...allExtensions.map((extension) => `:(icase,glob,exclude)**/*.${extension}`)];

/** How a page is written. */
export type PageFormat = 'markdown' | 'mdx' | 'myst' | 'rst' | 'asciidoc' | 'quarto';

/** Of a file that belongs to no site. */
export function formatOf(path: string): PageFormat {
  if (extensionOf(path) === 'rst') return 'rst';
  if (/^(?:adoc|asciidoc)$/.test(extensionOf(path))) return 'asciidoc';
  if (/^(?:qmd|rmd)$/.test(extensionOf(path))) return 'quarto';
  return isMarkdown(path) && path.endsWith('.mdx') ? 'mdx' : 'markdown';
}

const shown = /\.(?:c|cc|cpp|cs|css|go|h|html|java|kt|php|proto|py|rb|rs|sh|sql|swift|txt|vue|xml)$/i;
const examples = /(?:^|\/)(?:listings|snippets|docs?|docs_src|examples?|code)\//i;

/** Pages, and files that configure a site or stand in pages: pages first, then data, then code. */
const kinds = [
  new RegExp(`\\.(?:${[...markdownExtensions, ...otherPageExtensions].join('|')})$`, 'i'),
  /\.(?:json|ya?ml|toml)$|(?:^|\/)(?:_redirects|\.pages|\.mintignore|\.gitignore|conf\.py|index\.html|Makefile)$|\.sh$/i,
  // Routes of Astro whose names have brackets say which pages they serve.
  /\.[cm]?[jt]sx?$|\]\.astro$/i,
  // Code that pages show.
  { test: (path: string) => shown.test(path) && examples.test(path) },
];
const generated = /(?:^|\/)(?:node_modules|package-lock\.json|npm-shrinkwrap\.json)(?:\/|$)/;

/** Of other files, only the path is known. */
export const isRead = (path: string): boolean => rankText(path) >= 0 && !generated.test(path);

/** The lower, the sooner it is read. Negative: never. */
export const rankText = (path: string): number => kinds.findIndex((kind) => kind.test(path));

/** Longer files are data, not documentation. */
export const maxReadBytes = 2 * 1024 ** 2;
