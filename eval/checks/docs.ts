import { checkChange } from '../../src/docs/check-change.ts';
import { createTree } from '../../src/docs/tree.ts';
import type { Check, Files } from './outcome.ts';
import { readRedirects } from './read-redirects.ts';

/** No broken link, page, navigation or front matter that the site itself does not have. */
export const isSound: Check = ({ site, after }) => listProblems(site, after);

export function listProblems(site: Files, after: Files): string[] {
  const { problems } = checkChange({ base: toTree(site), head: toTree(after) });
  return problems.map(({ file, line, message }) => `${file}:${line}: ${message}`);
}

/** The first address redirects to the second one in a single step. */
export const redirects =
  (from: string, to: string): Check =>
  ({ after }) => {
    const found = readRedirects(after).get(from);
    if (found === undefined) return [`${from} is not redirected`];
    return found === to ? [] : [`${from} is redirected to ${found} instead of ${to}`];
  };

const toTree = (files: Files) => createTree({ paths: new Set(files.keys()), read: (path) => files.get(path) });
