import type { PageFormat } from './page-format.ts';
import { readAnyPage } from './read-any-page.ts';
import type { Page } from './read-page.ts';

export type ReadText = (text: string, format: PageFormat) => Page;

/** Reads equal texts once. A page that is not read for a whole round is dropped. */
export function createPageReader(): { read: ReadText; startRound(): void } {
  let known = createPageCache();
  let before = createPageCache();
  return {
    read(text, format) {
      const page = known(format).get(text) ?? before(format).get(text) ?? readAnyPage(text, format);
      known(format).set(text, page);
      return page;
    },
    startRound() {
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
