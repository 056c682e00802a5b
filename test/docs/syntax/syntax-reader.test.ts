import { expect, test } from 'vitest';
import { createOpenApiReader } from '../../../src/docs/formats/open-api.ts';
import { mintlify } from '../../../src/docs/frameworks/mintlify/mintlify.ts';
import { findSyntaxProblems } from '../../../src/docs/problems/find-syntax-problems.ts';
import { openSites } from '../../../src/docs/sites/open-sites.ts';
import { createSyntaxReader } from '../../../src/docs/syntax/syntax-reader.ts';
import { toTree } from '../support/check-files.ts';

const reader = { framework: mintlify, isMdx: true };

/** Each look at the clock takes 10 ms. */
function createReader(maxMs: number) {
  let time = 0;
  return createSyntaxReader({
    maxMs,
    now: () => {
      time += 10;
      return time;
    },
  });
}

test('pages beyond the time of a round are read in the next one, and none twice', () => {
  const { read, startRound } = createReader(25);
  const texts = ['a', 'b', 'c', 'd', 'e'];
  const readAll = () => texts.filter((text) => read(text, reader) !== undefined);
  expect(readAll()).toEqual(['a', 'b']);
  startRound();
  expect(readAll()).toEqual(['a', 'b', 'c', 'd']);
  startRound();
  expect(readAll()).toEqual(texts);
});

test('a page that would take too long is left, a shorter one is not', () => {
  const { read } = createReader(25);
  expect(read('abc', reader)).toBeDefined();
  expect(read('x'.repeat(9), reader)).toBeUndefined();
  expect(read('xyz', reader)).toBeDefined();
});

function find(files: Record<string, string>, maxMs: number) {
  const state = (texts: Record<string, string>) => {
    const tree = toTree(texts);
    return { tree, sites: openSites(tree), found: [] };
  };
  const base = { 'docs.json': '{"navigation":{}}', 'old.mdx': 'a {' };
  return findSyntaxProblems({
    base: state(base),
    head: state({ ...base, ...files }),
    moves: new Map(),
    originOf: (path) => path,
    readSyntax: createReader(maxMs).read,
    readOpenApi: createOpenApiReader(),
  });
}

test('the shortest pages are parsed first, and the others counted', () => {
  const files = { 'long.mdx': 'x'.repeat(30), 'short.mdx': 'a {', 'middle.mdx': 'x'.repeat(4) };
  expect(find(files, 15)).toMatchObject({
    parsedPages: 1,
    unparsedPages: 2,
    head: [expect.objectContaining({ file: 'short.mdx' })],
  });
  expect(find(files, 1_000)).toMatchObject({ parsedPages: 3, unparsedPages: 0 });
});

test('a page is not told where there was no time to see how it was before', () => {
  expect(find({ 'old.mdx': 'b {' }, 15)).toEqual({ head: [], base: [], parsedPages: 0, unparsedPages: 1 });
});
