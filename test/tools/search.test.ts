import { expect, test } from 'vitest';
import { excerptLine } from '../../src/tools/output/limits.ts';
import { createToolbox } from './toolbox.ts';

test.each([
  ['short', 'a match b', 2, 'a match b'],
  ['long, with the match at its beginning', `match${'x'.repeat(50)}`, 0, `match${'x'.repeat(25)} [...]`],
  ['long, with the match at its end', `${'x'.repeat(50)}match`, 50, `[...] ${'x'.repeat(25)}match`],
  [
    'long, with the match inside',
    `${'x'.repeat(50)}match${'y'.repeat(50)}`,
    50,
    `[...] ${'x'.repeat(10)}match${'y'.repeat(15)} [...]`,
  ],
])('a line that is %s is cut around its match', (_, line, at, expected) => {
  expect(excerptLine(line, at, 30)).toBe(expected);
});

const files = {
  'docs/a.md': 'one\ntwo\nthree needle\nfour\nfive\n',
  'docs/fr/a.md': 'needle\n',
  'docs/[id]/page.mdx': `${'\u00e9'.repeat(4_000)} needle ${'z'.repeat(4_000)}\n`,
  'src/b.json': '{"needle": 1}\n',
  '.env': 'needle=1\n',
};

test.each([
  ['a glob', { glob: '*.json' }, ['src/b.json']],
  ['braces', { glob: '*.{json,mdx}' }, ['docs/[id]/page.mdx', 'src/b.json']],
  ['brackets, which are no class', { glob: 'docs/[id]/*' }, ['docs/[id]/page.mdx']],
  ['a glob below a path', { path: 'docs', glob: '*/a.md' }, ['docs/fr/a.md']],
  ['folders in braces', { path: 'docs/{fr,[id]}' }, ['docs/[id]/page.mdx', 'docs/fr/a.md']],
  ['a glob that repeats the path', { path: 'docs', glob: 'docs/*.md' }, ['docs/a.md']],
  ['an excluded folder', { exclude: '{fr,src}' }, ['docs/[id]/page.mdx', 'docs/a.md']],
  ['an excluded extension', { path: 'docs', exclude: '*.mdx' }, ['docs/a.md', 'docs/fr/a.md']],
])('search narrows by %s', async (_, args, expected) => {
  await using box = await createToolbox(files);
  const output = await box.output('search', { pattern: 'needle', output: 'files', ...args });
  expect(output.split('\n').slice(1)).toEqual(expected);
});

test('a match is visible in a line of thousands of characters', async () => {
  await using box = await createToolbox(files);
  const output = await box.output('search', { pattern: 'n.edle', glob: '*.mdx' });
  expect(output).toContain('docs/[id]/page.mdx:1: [...] ');
  expect(output).toContain(' needle ');
  expect(output.length).toBeLessThan(500);
});

test('search shows the lines around a match, and counts', async () => {
  await using box = await createToolbox(files);
  expect(await box.lines('search', { pattern: 'needle', path: 'docs/a.md', context: 1 })).toEqual([
    'docs/a.md',
    ' 2: two',
    '>3: three needle',
    ' 4: four',
  ]);
  expect(await box.lines('search', { pattern: 'needle', output: 'counts' })).toEqual([
    '4 lines in 4 files:',
    'docs/[id]/page.mdx: 1',
    'docs/a.md: 1',
    'docs/fr/a.md: 1',
    'src/b.json: 1',
  ]);
  expect(await box.output('search', { pattern: '{"needle', literal: true })).toContain('src/b.json:1');
  expect(await box.output('search', { pattern: 'x', glob: '{a' })).toContain('invalid glob');
});

test('promise 9: of very many lines the files are counted first', async () => {
  const entries = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`${index}.md`, 'needle in a line\n'.repeat(150)]),
  );
  await using box = await createToolbox(entries);
  const output = await box.output('search', { pattern: 'needle' });
  const lines = output.split('\n');
  expect(lines[0]).toBe('9,000 lines in 60 files match. Narrow with path, exclude or a longer pattern.');
  expect(lines[1]).toBe('0.md: 150');
  expect(output).toContain('... and 20 more files.');
  expect(lines.filter((line) => line.includes('needle in'))).toHaveLength(30);
});

test('search says why a path is not searched, or which one is meant', async () => {
  await using box = await createToolbox(files);
  const search = async (path: string) => await box.output('search', { pattern: 'needle', path });
  expect(await search('.env')).toContain('.env is not shown');
  expect(await search('../x')).toContain('.. is not allowed');
  expect(await search('doc/a.md')).toBe('there is no file or folder doc/a.md; did you mean docs/a.md or docs/fr/a.md?');
});
