// Processes of the command and of git: one way through folders and commits. What is found is a table in test/checks.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runPagewright } from '../support/run/run-pagewright.ts';

const run = promisify(execFile);
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pagewright-check-docs-'));
  await writeFiles('before', { 'README.md': '[Use](docs/use.md)\n', 'docs/use.md': '## Use\n\n[Gone](gone.md)\n' });
  await writeFiles('after', { 'README.md': '[Use](docs/uses.md#use)\n', 'docs/use.md': '## Use\n\n[Gone](gone.md)\n' });
});

afterAll(() => rm(directory, { recursive: true, force: true }));

async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, folder, path)), { recursive: true });
    await writeFile(join(directory, folder, path), text);
  }
}

const checkDocs = (...args: string[]) => runPagewright(['check-docs', ...args]);

const problem = {
  file: 'README.md',
  line: 1,
  kind: 'link',
  severity: 'must',
  target: 'docs/uses.md',
  message: 'link docs/uses.md#use leads to no page. Did you mean docs/use.md#use?',
};

const unknown =
  'Not checked: this site’s framework is not known, so navigation, addresses and redirects are left alone.\n';

test('two folders: only what the second one brings, as JSON lines, and exit code 1', async () => {
  const { code, stdout, stderr } = await checkDocs(join(directory, 'before'), join(directory, 'after'), '--json');
  expect({ code, stderr }).toEqual({ code: 1, stderr: unknown });
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([problem]);
});

test('kinds that the settings of the second folder turn off are left alone', async () => {
  const off = { 'README.md': '[Use](docs/uses.md#use)\n', '.github/pagewright.yml': 'checks_off: [link]\n' };
  await writeFiles('off', off);
  const { code, stdout } = await checkDocs(join(directory, 'before'), join(directory, 'off'), '--json');
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
});

test('two commits of a checkout or a bare repository, with a page that moved', async () => {
  const repo = join(directory, 'repo');
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-C', repo, ...args]);
  await writeFiles('repo', { 'README.md': '[Use](docs/use.md)\n', 'docs/use.md': '## Use\n\n[Gone](gone.md)\n' });
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '.');
  await git('commit', '--quiet', '--message=before');
  await git('mv', 'docs/use.md', 'docs/guide.md');
  await git('commit', '--quiet', '--message=after');
  const expected = {
    code: 1,
    stdout: `README.md
      1  must    link docs/use.md leads to no page: this change moves docs/use.md to docs/guide.md

1 to fix, 0 to look at (2 links, 0 changed pages, 2 pages of Markdown checked)
${unknown}`,
    stderr: '',
  };
  expect(await checkDocs('HEAD~1', 'HEAD', '--repo', repo)).toEqual(expected);
  await run('git', ['clone', '--quiet', '--bare', repo, join(directory, 'bare.git')]);
  expect(await checkDocs('HEAD~1', 'HEAD', '--repo', join(directory, 'bare.git'))).toEqual(expected);
  expect(await checkDocs('HEAD', 'HEAD', '--repo', repo)).toMatchObject({ code: 0 });
  await writeFiles('repo', { 'README.md': '[Use](docs/guide.md) [Not yet](docs/new.md)\n' });
  const working = await checkDocs('HEAD', repo, '--repo', repo);
  expect(working.stdout).toContain('must    link docs/new.md leads to no page');
  expect(working.code).toBe(1);
  const ignored = { '.gitignore': 'build/\n', 'build/page.md': '[Nowhere](nowhere.md)\n' };
  await writeFiles('repo', { ...ignored, 'docs/guide.md': '## Use\n\n[Up](../README.md) [Gone](gone.md)\n' });
  for (const cwd of [repo, join(repo, 'docs')]) {
    const here = await runPagewright(['check-docs', 'HEAD', '.', '--repo', '.'], { cwd });
    expect(here).toEqual({
      code: 1,
      stdout: expect.stringMatching(/^README\.md\n.*docs\/new\.md leads to no page.*\n\n1 to fix, 0 to look at/),
      stderr: '',
    });
  }
  for (const args of [['.'], ['docs']]) {
    const everything = await runPagewright(['check-docs', ...args], { cwd: repo });
    expect(everything.stdout).toContain('link gone.md leads to no page');
    expect(everything.code).toBe(1);
  }
  for (const folder of [join(repo, 'docs'), join(directory, 'before')])
    expect((await checkDocs(folder)).stdout).toContain('link gone.md leads to no page');
  expect((await runPagewright(['check-docs', 'HEAD', '.'], { cwd: repo })).stdout).toContain(
    'docs/new.md leads to no page',
  );
  expect((await checkDocs('HEAD', 'none', '--repo', repo)).stderr).toMatch(
    /none is neither a commit of .* nor a folder/,
  );
});

test.each<{ name: string; args: string[]; message: string }>([
  {
    name: 'a folder that does not exist',
    args: ['/none/a', '/none/b'],
    message: '/none/a is neither a commit of ',
  },
  {
    name: 'a repository that does not exist',
    args: ['a', 'b', '--repo', '/none'],
    message: '/none is not in a git repository: name two folders, or a repository with --repo',
  },
  {
    name: 'a repository that does not exist, alone',
    args: ['--repo', '/none'],
    message: '/none is not in a git repository: name a folder to check all of it, or two to compare',
  },
  {
    name: 'folders without pages',
    args: ['examples', 'examples'],
    message: 'examples has no pages of documentation: name the folder or commit that has them',
  },
  {
    name: 'an unknown option',
    args: ['a', 'b', '--fast'],
    message: "unknown option '--fast' (see: pagewright check-docs --help)",
  },
])('exit code 2 and one line for $name', async ({ args, message }) => {
  const { code, stdout, stderr } = await checkDocs(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(`check-docs: ${message}`);
});
