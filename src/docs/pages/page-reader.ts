import type { PageFormat } from './page-format.ts';
import { readAnyPage } from './read-any-page.ts';
import type { Page } from './read-page.ts';

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
