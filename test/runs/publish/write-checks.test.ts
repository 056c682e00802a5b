import { micromark } from 'micromark';
import { expect, test } from 'vitest';
import type { Problem } from '../../../src/docs/problem.ts';
import { type CheckReport, checksDidNotRun, findExplanation, toCheckReport } from '../../../src/runs/check-report.ts';
import { writeChecks, writeLeftChecks } from '../../../src/runs/publish/write-checks.ts';
import { neutralizeBounded } from '../../../src/text/neutralize/neutralize-markdown.ts';

const context = { repository: 'https://github.test/acme/docs', allowedHosts: [] };
const looked = {
  checkedLinks: 1_214,
  parsedPages: 3,
  unparsedPages: 0,
  sites: [{ framework: 'mintlify', root: '', pages: 12 }],
  goneFiles: [],
  navigation: true,
  notChecked: [],
};
const problem: Problem = {
  file: 'guides/errors.mdx',
  line: 41,
  kind: 'link',
  severity: 'must',
  target: '/guides/rate-limit',
  message: 'link /guides/rate-limit leads to no page. Did you mean /guides/rate-limits?',
};
const clean = toCheckReport({ ...looked, problems: [] });
const write = (checks: CheckReport) => neutralizeBounded(writeChecks(checks), 4_000, context);

test.each<[string, CheckReport, string]>([
  ['what was checked', clean, 'Checked: 1,214 links, 3 pages parsed, navigation. No new problems.'],
  [
    'one of each',
    { ...clean, links: 1, pages: 1, navigation: false },
    'Checked: 1 link, 1 page parsed. No new problems.',
  ],
  [
    'pages without time',
    { ...clean, unparsed: 1_087 },
    'Checked: 1,214 links, 3 pages parsed (no time for 1,087 more), navigation. No new problems in what was checked.',
  ],
  [
    'what was not checked',
    { ...clean, navigation: false, notChecked: ['Not checked: this site’s framework is not known.'] },
    `Checked: 1,214 links, 3 pages parsed. No new problems in what was checked.

Not checked: this site’s framework is not known.`,
  ],
  [
    'that nothing was checked',
    {
      ...clean,
      links: 0,
      pages: 0,
      navigation: false,
      notChecked: ['Not checked: 40 pages in .rst, which belong to no known site.'],
    },
    `Nothing was checked.

Not checked: 40 pages in .rst, which belong to no known site.`,
  ],
  ['a time-out', checksDidNotRun, 'The checks did not run, so links, syntax and navigation were not checked.'],
  [
    'what is left, what must be fixed first',
    toCheckReport({ ...looked, problems: [{ ...problem, line: 9, kind: 'anchor', severity: 'should' }, problem] }),
    `Checked: 1,214 links, 3 pages parsed, navigation. 2 new problems are left:

- \`guides/errors.mdx:41\` **must be fixed**: ${problem.message}
- \`guides/errors.mdx:9\` ${problem.message}`,
  ],
  [
    'what the agent explained',
    toCheckReport({ ...looked, problems: [problem, { ...problem, target: '/other' }] }, ({ target }) =>
      target === '/other' ? 'A *build* makes it.' : undefined,
    ),
    `Checked: 1,214 links, 3 pages parsed, navigation. 2 new problems are left, 1 of them explained by the agent:

- \`guides/errors.mdx:41\` **must be fixed**: ${problem.message}
- \`guides/errors.mdx:41\` **must be fixed**: ${problem.message} _Explained:_ A \\*build\\* makes it.`,
  ],
])('the pull request says %s', (_name, checks, expected) => {
  expect(write(checks)).toBe(expected);
});

test('a comment says only what is left', () => {
  expect(writeLeftChecks(clean)).toBeUndefined();
  expect(writeLeftChecks({ ...clean, unparsed: 1 })).toContain('no time for 1 more');
  expect(writeLeftChecks(checksDidNotRun)).toContain('did not run');
  expect(writeLeftChecks(toCheckReport({ ...looked, problems: [problem] }))).toContain('1 new problem is left:\n\n- ');
  expect(writeLeftChecks(toCheckReport({ ...looked, problems: [problem] }, () => 'On purpose.'))).toBeUndefined();
});

test('an explanation holds for the same problem of a later report', () => {
  const earlier = toCheckReport({ ...looked, problems: [problem] }, () => 'On purpose.');
  expect(findExplanation(earlier, { ...problem, line: 50 })).toBe('On purpose.');
  expect(findExplanation(earlier, { ...problem, target: '/other' })).toBeUndefined();
  expect(findExplanation(clean, problem)).toBeUndefined();
  expect(findExplanation(undefined, problem)).toBeUndefined();
});

test('twenty problems are listed, fifty stored, and the rest is counted', () => {
  const problems = Array.from({ length: 80 }, (_, index) => ({ ...problem, line: index }));
  const checks = toCheckReport({ ...looked, problems });
  expect(checks).toMatchObject({ problems: { length: 50 }, more: 30 });
  const lines = writeChecks(checks).split('\n');
  expect(lines[0]).toContain('80 new problems are left:');
  expect(lines.filter((line) => line.startsWith('- `'))).toHaveLength(20);
  expect(lines.at(-1)).toBe('- and 60 more');
});

test('promise 19: file names and targets in the checks are shown, and do nothing', () => {
  const name = 'a`b](https://evil.test) @rita #1 <img src=x> <!-- pagewright:end --> _x_ *y*\n# z';
  const checks = toCheckReport({
    ...looked,
    problems: [{ ...problem, file: name, message: `link ${name}`, target: name }],
    notChecked: [`Links of ${name} are not judged.`],
  });
  const text = write(checks);
  expect(text.split('\n')).toHaveLength(5);
  expect(text).not.toContain('<!--');
  const html = micromark(text);
  expect(html.replace(/<code>[^<]*<\/code>/g, '')).not.toMatch(/<(?!\/?(?:p|ul|li|strong)>)|@rita|#1|https:/);
  expect(html).toContain('_x_ *y* # z');
});

test('the checks stay short, whatever they name', () => {
  for (const part of ['@a ', '#1 ', '`', '<', '\\', 'https://a.test/ ', '_*', '&amp;']) {
    const name = part.repeat(300);
    const problems = Array.from({ length: 50 }, () => ({ ...problem, file: name, message: name, target: name }));
    expect(write(toCheckReport({ ...looked, problems })).length).toBeLessThanOrEqual(4_000);
  }
});
