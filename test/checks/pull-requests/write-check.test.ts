import { expect, test } from 'vitest';
import { writeCheck } from '../../../src/checks/pull-requests/write-check.ts';
import type { Checked } from '../../../src/docs/check-change.ts';
import type { Problem } from '../../../src/docs/problem.ts';

const checked: Checked = {
  problems: [],
  goneFiles: [],
  sites: [],
  checkedLinks: 3,
  parsedPages: 1,
  unparsedPages: 0,
  navigation: true,
  notChecked: [],
};
const problem = (severity: Problem['severity'], more: Partial<Problem> = {}): Problem => ({
  file: 'docs/a.md',
  line: 3,
  kind: 'link',
  severity,
  message: 'nothing is at b.md',
  target: 'docs/b.md',
  ...more,
});

test.each<[string, Partial<Checked> | undefined, 'advise' | 'require', string, string]>([
  ['nothing new', {}, 'require', 'success', 'No new problems'],
  ['nothing new, as advice', {}, 'advise', 'neutral', 'No new problems'],
  [
    'must and should',
    { problems: [problem('should'), problem('must')] },
    'require',
    'failure',
    '1 problem must be fixed, 1 should be',
  ],
  ['must, as advice', { problems: [problem('must')] }, 'advise', 'neutral', '1 problem must be fixed'],
  ['should only', { problems: [problem('should'), problem('should')] }, 'require', 'success', '2 should be'],
  ['a part', { notChecked: ['Links are not judged.'] }, 'require', 'success', 'No new problems in what was checked'],
  ['a part of the pages', { unparsedPages: 7 }, 'require', 'success', 'No new problems in what was checked'],
  [
    'nothing that was checked',
    { checkedLinks: 0, parsedPages: 0, navigation: false },
    'require',
    'success',
    'Nothing was checked',
  ],
  ['no answer in time', undefined, 'require', 'neutral', 'The documentation was not checked'],
])('promise 40: %s', (_name, found, mode, conclusion, title) => {
  const written = writeCheck(found && { ...checked, ...found }, { mode });
  expect(written).toMatchObject({ conclusion, title });
});

test('what must be fixed comes first, each problem at a line of its file', () => {
  const problems = [problem('should', { line: 0, kind: 'anchor' }), problem('must', { message: 'a\u200bb' })];
  expect(writeCheck({ ...checked, problems }, { mode: 'advise' }).annotations).toEqual([
    { path: 'docs/a.md', line: 3, level: 'failure', title: 'link', message: 'ab' },
    { path: 'docs/a.md', line: 1, level: 'warning', title: 'anchor', message: 'nothing is at b.md' },
  ]);
});

test('what a repository wrote is no Markdown in the summary', () => {
  const { summary } = writeCheck(
    { ...checked, notChecked: ['@rita ![x](https://evil.example) <b>'] },
    { mode: 'advise' },
  );
  expect(summary).toContain('\\@rita \\!\\[x\\](https://evil.example) \\<b\\>');
});
