import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { benchReplay } from '../../bench/benches/replay.ts';
import { createGitClient } from '../../harness/git-client.ts';

const git = createGitClient();
let repo: string;
let broken: string;
let mended: string;
let unknown: string;

beforeAll(async () => {
  repo = await mkdtemp(join(tmpdir(), 'pagewright-replay-'));
  await git.run(repo, 'init', '--quiet', '--initial-branch=main');
  await commit('Start', {
    'README.md': '[Use](docs/use.md), `docs/uze.md` https://shop.exampel\n',
    'docs/use.md': '# Use\n',
  });
  broken = await commit('Name the limits', {
    'docs/use.md': '# Use\n\n[Limits](limts.md)\n',
    'docs/limits.md': '# Limits\n',
  });
  mended = await commit('Fix a broken link', { 'docs/use.md': '# Use\n\n[Limits](limits.md)\n' });
  await commit('Only code', { 'src/main.c': 'int main;\n' });
  unknown = await commit('fix link in code', {
    'README.md': '[Use](docs/use.md), `docs/use.md` https://shop.exampel\n',
  });
  await commit('fix link to the shop', { 'README.md': '[Use](docs/use.md), `docs/use.md` https://shop.example\n' });
});

afterAll(() => rm(repo, { recursive: true, force: true }));

async function commit(message: string, files: Record<string, string>): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(repo, path)), { recursive: true });
    await writeFile(join(repo, path), text);
  }
  await git.run(repo, 'add', '.');
  await git.run(repo, 'commit', '--quiet', '--message', message);
  return (await git.run(repo, 'rev-parse', 'HEAD')).slice(0, 10);
}

async function replay(verdicts?: string[]) {
  const file = join(repo, '.git', 'verdicts');
  if (verdicts) await writeFile(file, `${verdicts.join('\n')}\n`);
  const lines: string[] = [];
  const input = { repo: join(repo, '.git'), commits: 10, verdicts: verdicts && file };
  const figures = await benchReplay(input, (line) => void lines.push(line));
  return { lines, figures: new Map(figures.map(({ what, measured }) => [what, measured])) };
}

const alarms = 'published commits with a false alarm, or one to judge';
const told = 'faults told that people mended';

test('each problem of a published commit, and each mended fault that is not told, is printed to be judged', async () => {
  const { lines, figures } = await replay();
  expect(lines).toEqual([
    `${broken} link docs/use.md:3 must: link limts.md leads to no page. Did you mean limits.md?`,
    `${unknown} mends a fault`,
  ]);
  expect(figures.get(alarms)).toBe('1 of 4');
  expect(figures.get('problems of kind link')).toBe('1 (0 true, 0 false, 1 to judge)');
  expect(figures.get(told)).toBe('1 of 2');
});

test('what a person judged is not asked again, and counts', async () => {
  const { lines } = await replay();
  const right = await replay(lines.map((line, index) => `${index === 0 ? 'true' : 'false'} ${line}`));
  expect(right.lines).toEqual([]);
  expect(right.figures.get(alarms)).toBe('0 of 4');
  expect(right.figures.get(told)).toBe('1 of 1');

  const wrong = await replay([`false ${broken} link docs/use.md:3`, `true ${mended} link docs/use.md:3`]);
  expect(wrong.lines).toEqual([`${unknown} mends a fault`]);
  expect(wrong.figures.get(alarms)).toBe('1 of 4');
  expect(wrong.figures.get('problems of kind link')).toBe('1 (0 true, 1 false, 0 to judge)');
});
