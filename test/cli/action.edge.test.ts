import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';

const check = join(import.meta.dirname, '../../.github/action/check.sh');
const pagewright = join(import.meta.dirname, '../../bin/pagewright');
let shallow: string;
let base: string;

/** A pull request that deletes a page, as `actions/checkout` leaves it: its merge commit alone. */
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'pagewright-action-'));
  const source = join(folder, 'source');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { encoding: 'utf8' }).trim();
  const commit = (name: string, text: string) => {
    writeFileSync(join(source, name), text);
    git('-C', source, 'add', '.');
    git('-C', source, 'commit', '-qm', name);
  };
  git('init', '-q', '-b', 'main', source);
  commit('b.md', '# B\n');
  commit('a.md', '# A\n\n[b](b.md)\n');
  git('-C', source, 'checkout', '-q', '-b', 'topic');
  git('-C', source, 'rm', '-q', 'b.md');
  git('-C', source, 'commit', '-qm', 'delete');
  git('-C', source, 'checkout', '-q', 'main');
  commit('c.md', '# C\n');
  base = git('-C', source, 'rev-parse', 'main');
  git('-C', source, 'checkout', '-q', 'topic');
  git('-C', source, 'merge', '-q', '-m', 'merge', 'main');
  shallow = join(folder, 'shallow');
  git('clone', '-q', '--depth=1', '-b', 'topic', `file://${source}`, shallow);
});

function run(inputs: Record<string, string>) {
  const files = mkdtempSync(join(tmpdir(), 'pagewright-step-'));
  const [summary, output] = [join(files, 'summary'), join(files, 'output')];
  for (const file of [summary, output]) writeFileSync(file, '');
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const { status, stdout } = spawnSync(check, {
    cwd: shallow,
    encoding: 'utf8',
    env: {
      PATH,
      NODE_COMPILE_CACHE,
      PAGEWRIGHT: pagewright,
      BASE: base,
      HEAD: '',
      ANNOTATIONS: 'true',
      FAIL_ON: 'must',
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_OUTPUT: output,
      ...inputs,
    },
  });
  return { status, stdout, summary: readFileSync(summary, 'utf8'), output: readFileSync(output, 'utf8') };
}

test('the step brings the base by itself, annotates, counts and fails', () => {
  const { status, stdout, summary, output } = run({});
  expect(stdout).toBe('::error file=a.md,line=3::link b.md leads to no page: this change deletes b.md\n');
  expect(summary).toContain('1 to fix');
  expect([status, output]).toEqual([1, 'must=1\nshould=0\n']);
});

test('it can stay quiet, and pass', () => {
  const { status, stdout, output } = run({ ANNOTATIONS: 'false', FAIL_ON: 'never' });
  expect([status, stdout, output]).toEqual([0, '', 'must=1\nshould=0\n']);
});

test('a wrong input is told', () => {
  expect(run({ FAIL_ON: 'sometimes' }).status).toBe(2);
  expect(run({ BASE: '', HEAD: 'HEAD' })).toMatchObject({ status: 2, stdout: '::error::head needs base\n' });
});
