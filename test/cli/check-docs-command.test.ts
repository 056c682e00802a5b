import { expect, test } from 'vitest';
import { formatProblems } from '../../src/cli/check-docs-command.ts';
import type { Checked } from '../../src/docs/check-change.ts';

const checked: Checked = {
  problems: [
    { file: 'b.md', line: 12, kind: 'link', severity: 'must', message: 'link /x leads to no page', target: '/x' },
    { file: 'a.md', line: 3, kind: 'anchor', severity: 'should', message: 'no heading', target: 'b.md#y' },
    { file: 'b.md', line: 4, kind: 'syntax', severity: 'must', message: 'does not parse', target: 'reason' },
  ],
  goneFiles: [],
  sites: [{ framework: 'MkDocs', root: '', pages: 7 }],
  checkedLinks: 14,
  parsedPages: 2,
  unparsedPages: 0,
  navigation: true,
  notChecked: ['Links are not judged: 21 of 48 are broken already.'],
};

test('problems stand below their files, by line', () => {
  expect(formatProblems(checked, { isJson: false, isColoured: false })).toBe(`b.md
      4  must    does not parse
     12  must    link /x leads to no page

a.md
      3  should  no heading

2 to fix, 1 to look at (14 links, 2 changed pages, 7 pages of MkDocs checked)
Links are not judged: 21 of 48 are broken already.
`);
});

test('a terminal shows files and severities in colour', () => {
  const text = formatProblems(checked, { isJson: false, isColoured: true });
  expect(text).toContain('\u001B[1mb.md\u001B[22m');
  expect(text).toContain('\u001B[31mmust  \u001B[39m');
  expect(text).toContain('\u001B[33mshould\u001B[39m');
});

test('JSON is one object a line, in the order of the problems', () => {
  const lines = formatProblems(checked, { isJson: true, isColoured: true }).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(checked.problems);
  expect(Object.keys(JSON.parse(lines[0] ?? ''))).toEqual(['file', 'line', 'kind', 'severity', 'message', 'target']);
});
