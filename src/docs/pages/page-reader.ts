import type { PageFormat } from '../page-extensions.ts';
import { readAsciiDocPage } from './read-asciidoc-page.ts';
import { type Page, readPage } from './read-page.ts';
import { readQuartoPage } from './read-quarto-page.ts';
import { readMystPage, readRstPage } from './read-sphinx-page.ts';

export type ReadText = (text: string, format: PageFormat) => Page;

/** Reads equal texts once. Pages that nobody reads again are dropped when as many others were read. */
export function createPageReader(): { read: ReadText; startRound(): void } {
  let known = createPageCache();
  let before = createPageCache();
  let [count, countBefore] = [0, 0];
  return {
    read(text, format) {
      const page = known(format).get(text) ?? before(format).get(text) ?? readAnyPage(text, format);
      if (!known(format).has(text)) count += 1;
      known(format).set(text, page);
      return page;
    },
    startRound() {
      if (count < countBefore) return;
      [count, countBefore] = [0, count];
      before = known;
      known = createPageCache();
    },
  };
}

/** Pages by text: the same text is another page in another format. */
export function createPageCache(): (format: PageFormat) => Map<string, Page> {
  const formats = new Map<PageFormat, Map<string, Page>>();
  return (format) => {
    const known = formats.get(format) ?? new Map<string, Page>();
    formats.set(format, known);
    return known;
  };
}

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
