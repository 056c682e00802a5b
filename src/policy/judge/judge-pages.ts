import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isProse } from '../../docs/page-extensions.ts';
import { ThreadFailure } from '../../threads/threads.ts';
import type { BaseFiles, Change } from '../base-files.ts';
import { isHiddenFile } from '../hide-secrets.ts';
import { describeCode } from '../pages/describe-code.ts';
import { keyOf, type PageCode } from '../pages/page-code.ts';
import { plainName } from '../places/file-types.ts';
import { listPlaces } from '../places/included-files.ts';
import type { Layout } from '../places/read-layout.ts';
import type { ForeignReaders } from './foreign-readers.ts';

/** How many pages of the base stay in memory. */
const maxKnownPages = 200;

/** Refuses code in a page that neither the page nor another page of the base had before. */
export function createPageJudge(options: {
  base: BaseFiles;
  findDialect: Layout['findDialect'];
  /** Whether the agent may write a file that pages include. */
  mayBeWritten(path: string): boolean;
  read: ForeignReaders['readPage'];
  findSecrets: ForeignReaders['findSecrets'];
}): (change: Change, page?: string) => Promise<string | undefined> {
  const { base, findDialect, mayBeWritten, read, findSecrets } = options;
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  const baseCode = createBaseCode(base, readKeys);

  /** `page`: includes the text. As a module of MDX it would be code, which pages do not include. */
  async function readAt(path: string, text: string, page = path) {
    const dialect = findDialect(plainName(page));
    if (page === path) return read({ path, text, dialect });
    const syntaxes = dialect.syntaxes.filter((syntax) => syntax !== 'mdx');
    return read({ path, text, dialect: { ...dialect, syntaxes }, isPart: true });
  }

  /** Of a file of the base. */
  function readKeys(path: string, text: string, page?: string): Promise<ReadonlySet<string>> {
    const keys = known.get(path) ?? readAt(path, text, page).then(({ code }) => new Set(code.map(keyOf)), forget);
    if (known.size >= maxKnownPages) known.clear();
    known.set(path, keys);
    return keys;

    /** A page that cannot be read in time allows nothing; the next call tries again. */
    function forget(error: unknown): Set<string> {
      if (!(error instanceof ThreadFailure)) throw error;
      known.delete(path);
      return new Set();
    }
  }

  /** `page`: includes the file, which is then read as a part of it. */
  async function findAdded({ path, before, after }: Change, page?: string): Promise<string | undefined> {
    if ((!isProse(path) && page === undefined) || after === null || after.sha === before?.sha) return undefined;
    if (after.text === null) return `${path} would not be UTF-8 text of a readable size; write it as plain text`;
    // A change may have a thousand small pages, one after the other.
    await yieldToEventLoop();
    const { code } = await readAt(path, after.text, page);
    const earlier = before?.text ? await readKeys(path, before.text, page) : new Set();
    const added: PageCode[] = [];
    for (const each of code) {
      if (earlier.has(keyOf(each)) || (await isIncluded(path, each)) || (await baseCode.has(each, path))) continue;
      added.push(each);
    }
    return added.length === 0 ? undefined : describeCode(path, added, after.text);
  }

  /** A file that the base holds may be shown, unless its name or a key in it hides it. A page may be named before it is written. */
  async function isIncluded(path: string, { kind, name, target, isAddress }: PageCode): Promise<boolean> {
    if (kind !== 'include' || target === undefined) return false;
    const places = listPlaces(path, target);
    const found = places.filter((place) => base.files.has(place));
    // Which of them a build takes depends on the build.
    if (found.length > 0) return found.every(isShown) && !(await holdSecret(found));
    if (places.some(mayBeWritten)) return true;
    // A table, which runs nothing, moves after its page.
    const isTable = /^\.\. csv-table:: file [^\n]*\.[ct]sv$/.test(name);
    const mayBeNew = isTable || isProse(target) || (isAddress === true && !/\.\w+$/.test(target));
    return mayBeNew && !target.includes('..') && places.length > 0 && places.every(isShown);
  }

  async function holdSecret(paths: readonly string[]): Promise<boolean> {
    for (const text of (await base.readTexts(paths.filter((path) => !isProse(path)))).values()) {
      if ((await findSecrets(text)).some(({ isHarmless }) => !isHarmless)) return true;
    }
    return false;
  }

  return findAdded;
}

const isShown = (place: string): boolean => !place.startsWith('..') && !isHiddenFile(place);

/** How many pages of the base are read for one piece of code, nearest first. */
const maxCandidates = 24;
const pagesAtOnce = 6;

/** Answers whether the base has the same code: git searches its pages for the code's clue, and the pages found are read until one has it. */
function createBaseCode(base: BaseFiles, readKeys: (path: string, text: string) => Promise<ReadonlySet<string>>) {
  const answers = new Map<string, Promise<boolean>>();

  async function search(code: PageCode, path: string): Promise<boolean> {
    if (code.clue === '') return false;
    const found = (await base.findPages(code.clue)).filter((candidate) => candidate !== path);
    const candidates = found.toSorted((a, b) => countShared(b, path) - countShared(a, path)).slice(0, maxCandidates);
    for (let at = 0; at < candidates.length; at += pagesAtOnce) {
      const texts = await base.readTexts(candidates.slice(at, at + pagesAtOnce));
      for (const [candidate, text] of texts) {
        const keys = await readKeys(candidate, text);
        if (keys.has(keyOf(code))) return true;
      }
    }
    return false;
  }

  return {
    /** `path` of the page that the code is for. */
    has(code: PageCode, path: string): Promise<boolean> {
      const key = keyOf(code);
      const answer = answers.get(key) ?? search(code, path);
      answers.set(key, answer);
      // Another write may ask again.
      answer.catch(() => answers.delete(key));
      return answer;
    },
  };
}

function countShared(a: string, b: string): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count += 1;
  return count;
}
