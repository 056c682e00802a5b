import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ReadPageAsync } from './guard-pages.ts';

const maxPages = 1_000;

/** Reads each text once: a run asks again about the base at each edit, and about every page that it wrote before it publishes. */
export function keepPages(read: ReadPageAsync): ReadPageAsync {
  const kept = new LRUCache<string, ReturnType<ReadPageAsync>>({ max: maxPages });
  return (page) => {
    const key = `${page.path}\n${JSON.stringify(page.dialect)}\n${hash('sha256', page.text)}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const reading = read(page);
    kept.set(key, reading);
    // What took too long may be read later.
    reading.catch(() => kept.delete(key));
    return reading;
  };
}
