import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';

const check = join(import.meta.dirname, '../../.github/action/check.sh');
const pagewright = join(import.meta.dirname, '../../bin/pagewright');
let folder: string;
/** The base that the event names, though others have merged since; the pull request's own commit; and its merge commit. */
let old: string;
let head: string;

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { encoding: 'utf8' }).trim();

/** A pull request that deletes a page. Meanwhile others moved one, and broke a link. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagewright-action-'));
  const source = join(folder, 'source');
  const commit = (name: string, text: string) => {
    mkdirSync(dirname(join(source, name)), { recursive: true });
    writeFileSync(join(source, name), text);
    git('-C', source, 'add', '.');
    git('-C', source, 'commit', '-qm', name);
  };
  git('init', '-q', '-b', 'main', source);
  git('-C', source, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  commit('b.md', '# B\n');
  commit('a.md', '# A\n\n[b](b.md)\n');
  old = git('-C', source, 'rev-parse', 'main');
  git('-C', source, 'checkout', '-q', '-b', 'topic');
  git('-C', source, 'rm', '-q', 'b.md');
  commit('.github/pagewright.yml', 'labells: [docs]\n');
  head = git('-C', source, 'rev-parse', 'topic');
  git('-C', source, 'checkout', '-q', 'main');
  commit('c.md', '# C\n\n[gone](gone.md)\n');
  git('-C', source, 'checkout', '-q', '-b', 'pull', 'main');
  git('-C', source, 'merge', '-q', '-m', 'merge', 'topic');
});

/** A checkout of the branch's newest commit alone, as `actions/checkout` leaves it: `pull` has the merge commit. */
function run(inputs: Record<string, string> = {}, branch: 'pull' | 'topic' = 'pull') {
  const files = mkdtempSync(join(tmpdir(), 'pagewright-step-'));
  const [summary, output, checkout] = [join(files, 'summary'), join(files, 'output'), join(files, 'check out')];
  for (const file of [summary, output]) writeFileSync(file, '');
  git('clone', '-q', '--depth=1', '-b', branch, `file://${join(folder, 'source')}`, checkout);
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const { status, stdout } = spawnSync(check, {
    cwd: checkout,
    encoding: 'utf8',
    env: {
      PATH,
      NODE_COMPILE_CACHE,
      PAGEWRIGHT: pagewright,
      BASE: '',
      HEAD: '',
      EVENT_BASE: old,
      PULL_HEAD: head,
      TOKEN: '',
      GITHUB_SERVER_URL: 'https://github.com',
      ANNOTATIONS: 'true',
      FAIL_ON: 'must',
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_OUTPUT: output,
      ...inputs,
    },
  });
  return { status, stdout, summary: readFileSync(summary, 'utf8'), output: readFileSync(output, 'utf8') };
}

const deleted = '::error file=a.md,line=3::link b.md leads to no page: this change deletes b.md\n';

test('the step compares with the base in the merge commit, annotates, counts and fails', () => {
  const { status, stdout, summary, output } = run();
  expect(stdout).toMatch(/^::error file=\.github\/pagewright\.yml,line=1::.*labells/);
  expect(stdout.slice(stdout.indexOf('::error file=a.md'))).toBe(deleted);
  expect(summary).toContain('1 to fix');
  expect([status, output]).toEqual([1, 'must=1\nshould=0\n']);
});

test("a checkout of the pull request's own commit is compared with where it left its base", () => {
  expect(run({}, 'topic').stdout).toContain(deleted);
  const base = git('-C', join(folder, 'source'), 'rev-parse', 'main');
  expect(run({ EVENT_BASE: base }, 'topic').output).toBe('must=1\nshould=0\n');
  expect(run({ BASE: old, HEAD: head }).output).toBe('must=1\nshould=0\n');
});

test('a push is compared with the commit before it', () => {
  expect(run({ PULL_HEAD: '' }).output).toBe('must=2\nshould=0\n');
});

test('it can stay quiet, and pass', () => {
  const { status, stdout, output } = run({ ANNOTATIONS: 'false', FAIL_ON: 'never' });
  expect([status, stdout, output]).toEqual([0, '', 'must=1\nshould=0\n']);
});

test('a wrong input is told', () => {
  expect(run({ FAIL_ON: 'sometimes' }).status).toBe(2);
  expect(run({ EVENT_BASE: '', HEAD: 'HEAD' })).toMatchObject({ status: 2, stdout: '::error::head needs base\n' });
});
