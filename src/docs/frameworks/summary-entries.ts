import { decodeAddress } from '../decode-address.ts';
import { createLineOf } from '../line-of.ts';
import { joinPath } from '../tree.ts';
import type { DataFile } from './edits/data-files.ts';
import type { NavigationEntry } from './site-rules.ts';

const entry = /(\]\(\s*)(?:<([^<>\n#]*)(?:#[^<>\n]*)?>|([^\s)#]+))/g;

/** The links of a SUMMARY.md: paths, relative to its folder. */
export function listSummaryEntries(text: string, folder: string, file: string): NavigationEntry[] {
  const lineOf = createLineOf(text);
  return Array.from(text.matchAll(entry), ({ 1: before = '', 2: bracketed, 3: bare, index }) => {
    const written = bracketed ?? bare ?? '';
    const start = index + before.length + (bracketed === undefined ? 0 : 1);
    const path = decodeAddress(written);
    const target = joinPath(folder, path) ?? path;
    const means = [target, ...(path.endsWith('/') ? [`${target}/README.md`] : [])];
    const isPage = path !== '' && !/^[a-z][a-z\d+.-]*:|^\//i.test(path);
    return { isPage, target, means, file, line: lineOf(index), start, end: start + written.length, isCode: false };
  }).flatMap(({ isPage, ...found }) => (isPage ? [found] : []));
}

/** SUMMARY.md is the navigation of GitBook and mdBook, wherever a root of theirs has it. */
export const summaryFile: DataFile = {
  path: /(?:^|\/)summary\.md$/,
  format: 'summary',
  containers: [],
  what: 'its list of links',
};
