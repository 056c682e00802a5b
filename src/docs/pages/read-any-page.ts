import type { PageFormat } from './page-format.ts';
import { readAsciiDocPage } from './read-asciidoc-page.ts';
import { type Page, readPage } from './read-page.ts';
import { readQuartoPage } from './read-quarto-page.ts';
import { readMystPage, readRstPage } from './read-sphinx-page.ts';

/** Reads a page in one pass, in linear time. Nothing in it is run. */
export function readAnyPage(text: string, format: PageFormat): Page {
  switch (format) {
    case 'rst':
      return readRstPage(text);
    case 'myst':
      return readMystPage(text);
    case 'asciidoc':
      return readAsciiDocPage(text);
    case 'quarto':
      return readQuartoPage(text);
    case 'mdx':
    case 'markdown':
      return readPage(text, { isMdx: format === 'mdx' });
  }
}
