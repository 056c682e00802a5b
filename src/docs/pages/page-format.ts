import { extensionOf, isMarkdown } from '../page-extensions.ts';

/** How a page is written. */
export type PageFormat = 'markdown' | 'mdx' | 'myst' | 'rst' | 'asciidoc' | 'quarto';

/** Of a file that belongs to no site. */
export function formatOf(path: string): PageFormat {
  if (extensionOf(path) === 'rst') return 'rst';
  if (/^(?:adoc|asciidoc)$/.test(extensionOf(path))) return 'asciidoc';
  if (/^(?:qmd|rmd)$/.test(extensionOf(path))) return 'quarto';
  return isMarkdown(path) && path.endsWith('.mdx') ? 'mdx' : 'markdown';
}
