import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Secret } from '../../secrets/find-secrets.ts';
import { findSecrets } from '../../secrets/scanner.ts';
import type { ThreadTask } from '../../threads/threads.ts';
import type { CodeRefusal, CodeToCompare } from '../code/compare-code.ts';
import type { DataToCompare } from '../data/compare-data.ts';
import type { OpenedToCompare } from '../data/compare-opened.ts';
import type { PageContent } from '../pages/page-code.ts';
import type { PageToRead } from '../pages/scan-page.ts';

/** What parses texts of repositories and models. Each throws `ThreadFailure` for a text that takes too long. */
export interface ForeignReaders {
  compareData(input: DataToCompare): Promise<string | undefined>;
  compareOpened(input: OpenedToCompare): Promise<string | undefined>;
  compareCode(input: CodeToCompare): Promise<CodeRefusal | undefined>;
  readPage(page: PageToRead): Promise<PageContent>;
  findSecrets(text: string): Promise<readonly Secret[]>;
}

/** In the caller's thread: for tests. The parsers are loaded where they run. */
export const inlineReaders = {
  compareData: async (input) => (await import('../data/compare-data.ts')).compareData(input),
  compareOpened: async (input) => (await import('../data/compare-opened.ts')).compareOpened(input),
  compareCode: async (input) => (await import('../code/compare-code.ts')).compareCode(input),
  readPage: async (page) => (await import('../pages/scan-page.ts')).scanPage(page),
  findSecrets,
} satisfies ForeignReaders;

export const { compareData, compareOpened, compareCode, readPage } = inlineReaders;

type Run = <Input, Output>(task: ThreadTask<Input, Output>, input: Input) => Promise<Output>;

/** In threads. Each page is read once. */
export function createForeignReaders(run: Run): ForeignReaders {
  const inThread =
    <Input, Output>(work: (input: Input) => Promise<Output>) =>
    (input: Input) =>
      run({ module: import.meta.url, work }, input);
  return {
    compareData: inThread(compareData),
    compareOpened: inThread(compareOpened),
    compareCode: inThread(compareCode),
    readPage: cachePages(inThread(readPage)),
    findSecrets: (text) => run({ module: import.meta.resolve('../../secrets/scanner.ts'), work: findSecrets }, text),
  };
}

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
