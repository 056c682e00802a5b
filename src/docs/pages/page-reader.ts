import { type Page, readPage } from './read-page.ts';

export type ReadText = (text: string, options: { isMdx: boolean }) => Page;

/** Reads equal texts once. A page that is not read for a whole round is dropped. */
export function createPageReader(): { read: ReadText; startRound(): void } {
  let known = createRound();
  let before = createRound();
  return {
    read(text, { isMdx }) {
      const kind = isMdx ? 'mdx' : 'markdown';
      const page = known[kind].get(text) ?? before[kind].get(text) ?? readPage(text, { isMdx });
      known[kind].set(text, page);
      return page;
    },
    startRound() {
      before = known;
      known = createRound();
    },
  };
}

const createRound = () => ({ mdx: new Map<string, Page>(), markdown: new Map<string, Page>() });
