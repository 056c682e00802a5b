import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { typeid } from 'typeid-js';
import { expect, test } from 'vitest';
import { isBranchName } from '../../src/repository/is-branch-name.ts';
import { nameBranch } from '../../src/runs/name-branch.ts';

const jobId = 'job_01jd2x8e4vf3r9c5w7k6t0mzqa';

test.each<[string, string, string]>([
  ['its words', 'Fix the rate limit!', 'pagewright/fix-the-rate-limit-7k6t0mzqa'.replace('7k6t', 'k6t')],
  ['its words, without accents', 'Füge Café hinzu', 'pagewright/fuge-cafe-hinzu-k6t0mzqa'],
  [
    'whole words, up to forty characters',
    `Write ${'about limits '.repeat(9)}`,
    'pagewright/write-about-limits-about-limits-about-k6t0mzqa',
  ],
  ['its first line', 'Fix it.\nAnd that.', 'pagewright/fix-it-k6t0mzqa'],
  ['the job’s id when the title has no Latin letters', '修正してください', 'pagewright/k6t0mzqa'],
])('a branch is named after the title by %s', (_name, title, expected) => {
  expect(nameBranch({ jobId, title })).toBe(expected);
});

test('every title gives a valid branch name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (title) => {
      const name = nameBranch({ jobId: typeid('job').toString(), title });
      expect(name).toMatch(/^pagewright\/[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(name.length).toBeLessThanOrEqual(60);
      expect(isBranchName(name)).toBe(true);
    }),
  );
  execFileSync('git', ['check-ref-format', `refs/heads/${nameBranch({ jobId, title: '..@{~^:?*[\\ .lock' })}`]);
});

test('two jobs with the same title have different branches', () => {
  const [one, other] = [1, 2].map(() => nameBranch({ jobId: typeid('job').toString(), title: 'Fix it' }));
  expect(one).not.toBe(other);
});
