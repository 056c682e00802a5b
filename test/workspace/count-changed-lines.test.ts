import { expect, test } from 'vitest';
import { countChangedLines } from '../../src/workspace/count-changed-lines.ts';

const long = Array.from({ length: 6_000 }, (_line, index) => `line ${index}`).join('\n');

test.each([
  ['a new file', undefined, 'one\ntwo\n', 2, 0],
  ['a new file without a last newline', undefined, 'one\ntwo', 2, 0],
  ['a removed file', 'one\ntwo\n', undefined, 0, 2],
  ['a changed line', 'one\ntwo\nthree\n', 'one\n2\nthree\n', 1, 1],
  ['an inserted line', 'one\nthree\n', 'one\ntwo\nthree\n', 1, 0],
  ['a file as it was', 'one\n', 'one\n', 0, 0],
  ['an empty file', undefined, '', 0, 0],
  ['a file replaced whole', long, long.replaceAll('line', 'row'), 6_000, 6_000],
])('%s counts as git counts it', (_name, before, after, additions, deletions) => {
  expect(countChangedLines([{ before, after }])).toEqual([{ additions, deletions }]);
});
