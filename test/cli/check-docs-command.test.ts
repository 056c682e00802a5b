import { expect, test } from 'vitest';
import { formatProblems } from '../../src/cli/format-problems.ts';
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
  expect(formatProblems(checked, { format: 'text', isColoured: false })).toBe(`b.md
      4  must    does not parse
     12  must    link /x leads to no page

a.md
      3  should  no heading

2 to fix, 1 to look at (14 links, 2 changed pages, 7 pages of MkDocs checked)
Links are not judged: 21 of 48 are broken already.
`);
});

test('a terminal shows files and severities in colour', () => {
  const text = formatProblems(checked, { format: 'text', isColoured: true });
  expect(text).toContain('\u001B[1mb.md\u001B[22m');
  expect(text).toContain('\u001B[31mmust  \u001B[39m');
  expect(text).toContain('\u001B[33mshould\u001B[39m');
});

test('JSON is one object a line, in the order of the problems', () => {
  const lines = formatProblems(checked, { format: 'json', isColoured: true }).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(checked.problems);
  expect(Object.keys(JSON.parse(lines[0] ?? ''))).toEqual(['file', 'line', 'kind', 'severity', 'message', 'target']);
});

test('a workflow annotates each line, and no text of a page writes another command', () => {
  const message = 'link x\n::error::y leads to no page 100%';
  const problems = checked.problems.slice(0, 1).map((problem) => ({ ...problem, file: 'a,b.md', message }));
  const text = formatProblems({ ...checked, problems }, { format: 'github', isColoured: false });
  expect(text).toBe('::error file=a%2Cb.md,line=12::link x%0A::error::y leads to no page 100%25\n');
});

test('SARIF has a result for each problem', () => {
  const text = formatProblems(checked, { format: 'sarif', isColoured: false });
  const { version, runs } = JSON.parse(text);
  expect(version).toBe('2.1.0');
  expect(runs[0].results.map((result: { level: string }) => result.level)).toEqual(['error', 'warning', 'error']);
  expect(runs[0].results[0].locations[0].physicalLocation).toEqual({
    artifactLocation: { uri: 'b.md' },
    region: { startLine: 12 },
  });
  const named = { ...checked, problems: checked.problems.map((problem) => ({ ...problem, file: 'über uns/c#.md' })) };
  expect(formatProblems(named, { format: 'sarif', isColoured: false })).toContain('"uri":"%C3%BCber%20uns/c%23.md"');
});
