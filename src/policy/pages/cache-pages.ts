import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { PageContent } from './page-code.ts';
import type { PageToRead } from './scan-page.ts';

const maxPages = 1_000;

type Read = (page: PageToRead) => Promise<PageContent>;

/** Reads each text once: a run asks again about the base at each edit, and about every page that it wrote before it publishes. */
export function cachePages(read: Read): Read {
  const cache = new LRUCache<string, ReturnType<Read>>({ max: maxPages });
  return (page) => {
    const key = `${page.path}\n${JSON.stringify(page.dialect)}${page.isPart === true}\n${hash('sha256', page.text)}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const reading = read(page);
    cache.set(key, reading);
    // The next call may read a page that took too long.
    reading.catch(() => cache.delete(key));
    return reading;
  };
}
