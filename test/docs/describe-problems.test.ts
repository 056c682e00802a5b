import { expect, test } from 'vitest';
import { describeProblems, type GoneFile } from '../../src/docs/describe-problems.ts';
import type { Problem } from '../../src/docs/problem.ts';

const closing = 'Problems that were there before are not listed and need no repair.';

const problem = (overrides: Partial<Problem>): Problem => ({
  file: 'index.mdx',
  line: 1,
  kind: 'link',
  severity: 'must',
  message: 'link /a leads to no page',
  target: '/a',
  ...overrides,
});

test('no problem needs no words', () => {
  expect(describeProblems({ problems: [], goneFiles: [] })).toBe('');
});

test('problems are one line each: by file, what must be fixed first', () => {
  const problems = [
    problem({ file: 'b.mdx', line: 3, kind: 'anchor', severity: 'should', message: 'anchor' }),
    problem({ file: 'a.mdx', line: 9 }),
    problem({ file: 'b.mdx', line: 7 }),
    problem({ file: 'a.mdx', line: 10 }),
  ];
  expect(describeProblems({ problems, goneFiles: [] }).split('\n')).toEqual([
    'a.mdx:9: link /a leads to no page',
    'a.mdx:10: link /a leads to no page',
    'b.mdx:7: link /a leads to no page',
    'b.mdx:3: anchor',
    closing,
  ]);
});

test('at most 20 are listed, and the rest is counted by kind', () => {
  const problems = [
    ...Array.from({ length: 23 }, (_, index) => problem({ line: index + 1 })),
    problem({ kind: 'anchor', severity: 'should', message: 'anchor' }),
  ];
  const lines = describeProblems({ problems, goneFiles: [] }).split('\n');
  expect(lines).toHaveLength(23);
  expect(lines.slice(-3)).toEqual(['and 3 more of the kind link', 'and 1 more of the kind anchor', closing]);
});

test('what leads to a file that was deleted or moved is told together', () => {
  const goneFiles: GoneFile[] = [
    { path: 'guides/errors.mdx', movedTo: undefined, targets: ['/guides/errors', 'guides/errors'] },
    { path: 'old.mdx', movedTo: 'new.mdx', targets: ['/old'] },
    { path: 'alone.mdx', movedTo: undefined, targets: ['/alone'] },
  ];
  const problems = [
    ...Array.from({ length: 12 }, (_, index) => problem({ line: index + 1, target: '/guides/errors' })),
    problem({ file: 'docs.json', line: 8, kind: 'navigation', target: 'guides/errors' }),
    problem({ line: 40, target: '/old' }),
    problem({ line: 41, kind: 'anchor', severity: 'should', target: '/old', message: 'anchor' }),
  ];
  const places = Array.from({ length: 12 }, (_, index) => `index.mdx:${index + 1}`).join(', ');
  expect(describeProblems({ problems, goneFiles }).split('\n')).toEqual([
    `You deleted guides/errors.mdx; these still link to it: ${places}, and 1 more`,
    'You moved old.mdx to new.mdx; these still link to the old place: index.mdx:40',
    'index.mdx:41: anchor',
    closing,
  ]);
});
