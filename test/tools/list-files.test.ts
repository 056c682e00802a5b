import { expect, test } from 'vitest';
import { runInline } from '../../src/threads/threads.ts';
import { createListFilesTool } from '../../src/tools/list-files.ts';
import { defaultToolLimits } from '../../src/tools/output/limits.ts';
import { noOtherRepositories } from '../../src/tools/tool-parts.ts';
import { createInlineDocs } from './inline-docs.ts';
import { createToolbox } from './toolbox.ts';

/** Runs the tool on made-up paths: creating that many files would take too long. */
async function listOver(paths: string[], args: object, others = noOtherRepositories) {
  await using box = await createToolbox({ 'a.md': '' });
  const workspace = { ...box.workspace, listFiles: () => paths };
  const tool = createListFilesTool({
    workspace,
    limits: defaultToolLimits,
    runTask: runInline,
    others,
    docs: createInlineDocs({}),
    changes: async () => [],
  });
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
  expect(folded.output.split('\n')).toContain('a/a/a/a/a/a/a/a/ (5,273 files)');
  const long = numbered(140, (index) => `${index}${`${'d'.repeat(240)}/`.repeat(4)}x`);
  const cut = await listOver(long, {});
  expect(cut.output.length).toBeLessThan(defaultToolLimits.maxCharacters + 200);
  expect(cut.output).toMatch(/\n\.\.\. and 1\d\d more\. Give a longer path, or a glob/);
  expect((await listOver(long, { path: 'x'.repeat(9_000) })).output.length).toBeLessThan(400);
  expect((await listOver(long, { glob: 'x'.repeat(97) })).isError).toBe(false);
});

test.each([
  ['from the folder', { path: 'docs/guides', glob: 'img/*' }, ['docs/guides/img/a.png']],
  ['from the root', { path: 'docs/guides', glob: 'docs/**/*.png' }, ['docs/guides/img/a.png']],
  ['by its name alone', { path: 'docs', glob: '*.png' }, ['docs/guides/img/a.png']],
])('list_files accepts a glob %s', async (_, args, files) => {
  await using box = await createToolbox({ 'docs/guides/img/a.png': '', 'docs/b.md': '', 'img/c.png': '' });
  expect(await box.lines('list_files', args)).toEqual(files);
});

const pages = (folder: string) => ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${folder}${name}.md`);

test.each([
  [
    'trees that repeat the English one',
    ['de/', 'en/', 'fr/'].flatMap((language) => pages(`docs/${language}`)),
    {},
    ['docs/de/ (6 files, mostly as in docs/en/)', ...pages('docs/en/'), 'docs/fr/ (6 files, mostly as in docs/en/)'],
  ],
  [
    'a tree that repeats the one around it',
    [...pages(''), ...pages('fr/')],
    {},
    [...pages(''), 'fr/ (6 files, mostly as in the root)'],
  ],
  [
    'no tree that only has the same names',
    ['docs/api/', 'docs/cloud/'].flatMap(pages),
    {},
    ['docs/api/', 'docs/cloud/'].flatMap(pages),
  ],
  [
    'media among folders, where there are too many files',
    [...numbered(200, (index) => `docs/a/${index}.md`), ...numbered(9, (index) => `docs/a/${index}.png`)],
    {},
    ['docs/a/ (209 files)'],
  ],
  ['media', [...numbered(9, (index) => `img/${index}.png`), 'img/a.md'], {}, ['img/ (9 media files)', 'img/a.md']],
  [
    'nothing where a glob asks for it',
    [...numbered(4, (index) => `img/${index}.png`)],
    { glob: '*.png' },
    numbered(4, (index) => `img/${index}.png`),
  ],
  ['nothing below the folder that is asked for', pages('docs/fr/'), { path: 'docs/fr' }, pages('docs/fr/')],
  ['what is excluded', [...pages('docs/'), 'fr/x.md'], { exclude: '{docs,*.txt}' }, ['fr/x.md']],
])('list_files folds %s', async (_, paths, args, expected) => {
  const { output } = await listOver(paths.toSorted(), args);
  expect(output.split('\n').filter((line) => !line.includes('files, by folder'))).toEqual(expected);
});

test('list_files names a folder once above its many files', async () => {
  const { output } = await listOver(
    numbered(25, (index) => `docs/guides/${index + 10}.md`),
    {},
  );
  expect(output.split('\n').slice(0, 2)).toEqual(['docs/guides/', '  10.md']);
});

test.each([
  ['a glob', 'docs/**/*.png', ['docs/guides/img/a.png']],
  ['a name in any folder', '*.png', ['docs/guides/img/a.png']],
  ['files in braces', './docs/guides/{a,b}.md', ['docs/guides/a.md', 'docs/guides/b.md']],
  ['folders in braces', '{docs/fr,app}', ['app/[slug]/{x}.md', 'docs/fr/a.md']],
  ['a file whose name has the marks of a glob', 'app/[slug]/{x}.md', undefined],
])('path may be %s', async (_name, path, expected) => {
  const paths = ['docs/guides/a.md', 'docs/guides/b.md', 'docs/guides/img/a.png', 'docs/fr/a.md', 'app/[slug]/{x}.md'];
  const { output } = await listOver(paths, { path });
  if (expected === undefined) expect(output).toContain('is a file');
  else expect(output.split('\n')).toEqual(expected);
});

test('folders in braces are those of the repository that the path names', async () => {
  const files = {
    listFiles: () => ['@acme/api/docs/a.md', '@acme/api/src/b.ts', '@acme/api/c.md'],
    mark: () => undefined,
  };
  const others = {
    ...noOtherRepositories,
    isOutside: (path: string) => path.startsWith('@acme/api'),
    find: async (path: string) => ({
      kind: 'found',
      repository: { prefix: '@acme/api', files },
      inside: path.slice(10),
    }),
  };
  const { output } = await listOver(['docs'], { path: '@acme/api/{docs,src}' }, others as never);
  expect(output.split('\n')).toEqual(['@acme/api/docs/a.md', '@acme/api/src/b.ts']);
});
