import { expect, test } from 'vitest';
import { runInline } from '../../src/threads/threads.ts';
import { defaultToolLimits } from '../../src/tools/limits.ts';
import { createListFilesTool } from '../../src/tools/list-files.ts';
import { createToolbox } from './toolbox.ts';

/** Runs the tool on made-up paths: creating that many files would take too long. */
async function listOver(paths: string[], args: object) {
  await using box = await createToolbox({ 'a.md': '' });
  const workspace = { ...box.workspace, listFiles: () => paths };
  const tool = createListFilesTool({ workspace, limits: defaultToolLimits, runTask: runInline });
  return tool.call(JSON.stringify(args), box.world.signal);
}

const numbered = (count: number, nameOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => nameOf(index));

test('promise 7: a glob with exponential cost is refused', async () => {
  const segment = 'a'.repeat(240);
  const paths = numbered(20_000, (index) => [segment, segment, segment, segment + index].join('/'));
  expect(await listOver(paths, { glob: `**/*${'a'.repeat(70)}{,a}{,a}{,a}b` })).toEqual({
    isError: true,
    output: 'the glob is too complex; use a simpler one',
  });
});

test('an ordinary glob lists files among a hundred thousand', async () => {
  const paths = numbered(100_000, (index) => `docs/guides/${index % 100}/page-${index}.md`);
  const answer = await listOver(paths, { glob: 'docs/**/*9999.{md,mdx}' });
  expect(answer.output.split('\n')).toHaveLength(10);
});

test('promise 9: the output of list_files is bounded for deep folders and long names', async () => {
  const deep = [
    ...numbered(280, (index) => `${'a/'.repeat(index + 1)}x`),
    ...numbered(5_000, (index) => `${'a/'.repeat(490)}${index}`),
  ];
  const folded = await listOver(deep, {});
  expect(folded.output.split('\n').at(-1)).toBe('a/a/a/a/a/a/a/a/ (5,273 files)');
  const long = numbered(300, (index) => `${`${'d'.repeat(240)}/`.repeat(4)}${index}`);
  const cut = await listOver(long, {});
  expect(cut.output.length).toBeLessThan(defaultToolLimits.maxCharacters + 200);
  expect(cut.output).toMatch(/\n\.\.\. and 260 more\. Call again with path or glob/);
  expect((await listOver(long, { path: 'x'.repeat(9_000) })).output.length).toBeLessThan(400);
  expect((await listOver(long, { glob: 'x'.repeat(97) })).isError).toBe(false);
});

test.each([
  ['from the folder', { path: 'docs/guides', glob: 'img/*' }, ['docs/guides/img/a.png']],
  ['from the root', { path: 'docs/guides', glob: 'docs/**/*.png' }, ['docs/guides/img/a.png']],
  ['by its name alone', { path: 'docs', glob: '*.png' }, ['docs/guides/img/a.png']],
])('list_files accepts a glob %s', async (_, args, files) => {
  await using box = await createToolbox({ 'docs/guides/img/a.png': '', 'docs/b.md': '', 'img/c.png': '' });
  expect((await box.call('list_files', args)).output.split('\n')).toEqual(files);
});
