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
