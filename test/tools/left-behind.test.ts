import { expect, test } from 'vitest';
import { createToolbox } from './toolbox.ts';

const page = (title: string, body: string) => `---\ntitle: ${title}\n---\n\n${body}\n`;
const mintlify = (pages: string[], rest: object = {}) =>
  `${JSON.stringify({ navigation: { pages }, ...rest }, null, 2)}\n`;
const pages = { 'a.mdx': page('A', '[g](/gone)'), 'b.mdx': page('B', 'b'), 'gone.mdx': page('G', 'g') };

interface Asked {
  output: string;
  /** Of the file that the test looks at. */
  text: string;
}

async function call(files: Record<string, string>, tool: string, args: object, file = ''): Promise<Asked> {
  await using box = await createToolbox(files);
  const output = await box.output(tool, args);
  return { output, text: await box.read(file) };
}
const remove = (files: Record<string, string>, path: string, to: string, file?: string) =>
  call(files, 'delete_file', { path, redirect_to: to }, file);
const move = (files: Record<string, string>, from: string, to: string, file?: string) =>
  call(files, 'move_file', { from, to }, file);

test('no redirect leads to itself: it goes, where the address is that of the page again', async () => {
  const deleted = await remove(
    {
      ...pages,
      'docs.json': mintlify(['a', 'gone', 'b'], {
        redirects: [
          { source: '/a', destination: '/gone' },
          { source: '/x', destination: '/b' },
        ],
      }),
    },
    'gone.mdx',
    'a.mdx',
    'docs.json',
  );
  expect(JSON.parse(deleted.text).redirects).toEqual([
    { source: '/x', destination: '/b' },
    { source: '/gone', destination: '/a' },
  ]);
  const only = { 'docs.json': mintlify(['new/a', 'b'], { redirects: [{ source: '/old/a', destination: '/new/a' }] }) };
  const back = await move(
    { ...only, 'new/a.mdx': page('A', 'a'), 'b.mdx': pages['b.mdx'] },
    'new/a.mdx',
    'old/a.mdx',
    'docs.json',
  );
  expect(back.output).toContain('(remove it: it would lead to itself): "destination": "/new/a"');
});

test('a path may begin with ./ and end with /', async () => {
  const files = { ...pages, 'docs.json': mintlify(['a', 'gone', 'b']) };
  expect((await remove(files, './gone.mdx', './b.mdx', 'a.mdx')).text).toContain('[g](/b)');
  expect((await move(files, './gone.mdx', './new/gone.mdx', 'a.mdx')).text).toContain('[g](/new/gone)');
});

test('what is left is shown on its line as it is now', async () => {
  const { output } = await remove(
    {
      'mkdocs.yml':
        'site_name: x\nnav:\n  - a.md\n  - gone.md\n  - X:\n    - gone.md\n    - Sub:\n      - b.md\n  - gone.md\n',
      'docs/a.md': '[i](gone.md)\n',
      'docs/b.md': '# B\n',
      'docs/gone.md': '# G\n',
      'docs/c.md': '[a]: gone.md\n\n--8<-- "gone.md"\n',
    },
    'docs/gone.md',
    'docs/a.md',
  );
  for (const row of output.split('\n').filter((line) => line.includes('edit it:'))) expect(row).toMatch(/gone\.md/);
});

test('what stands in an entry goes with it', async () => {
  const { text } = await remove(
    {
      '.vitepress/config.mts': `export default defineConfig({
  themeConfig: {
    nav: [
      { text: 'G', link: '/gone', activeMatch: '/gone' },
      { text: 'B', link: '/b' },
    ],
    sidebar: [{ text: 'X', items: [{ text: 'A', link: '/a' }, { text: 'G', link: '/gone' }] }],
  },
});\n`,
      'index.md': '# I',
      'a.md': '# A',
      'b.md': '# B',
      'gone.md': '# G',
    },
    'gone.md',
    'a.md',
    '.vitepress/config.mts',
  );
  expect(text).toContain("nav: [\n      { text: 'B', link: '/b' },\n    ]");
  expect(text).toContain("items: [{ text: 'A', link: '/a' }]");
});

test('two entries of a page do not leave an empty list', async () => {
  const files = {
    'mkdocs.yml': 'nav:\n  - a.md\n  - X:\n    - G: gone.md\n    - Again: gone.md\n',
    'docs/a.md': '# A',
    'docs/gone.md': '# G',
  };
  const { text, output } = await remove(files, 'docs/gone.md', 'docs/a.md', 'mkdocs.yml');
  expect(text).toBe(files['mkdocs.yml']);
  expect(output).toContain('mkdocs.yml:4,5 (edit it: it must not lead to the deleted page): - G: gone.md');
});

test('an argument of a call is no entry', async () => {
  const { text } = await remove(
    {
      'docusaurus.config.js': 'module.exports = {};\n',
      'sidebars.js': "const f = (x, y, z) => y;\nmodule.exports = { docs: ['a', f('x', 'gone', 'b'), 'gone', 'b'] };\n",
      'docs/a.md': '# A',
      'docs/b.md': '# B',
      'docs/gone.md': '# G',
    },
    'docs/gone.md',
    'docs/a.md',
    'sidebars.js',
  );
  expect(text).toContain("docs: ['a', f('x', 'gone', 'b'), 'b']");
});

test('an entry that leads to the page that stays is left', async () => {
  const files = {
    'docs.json': mintlify(['use', 'b']),
    'use.mdx': page('U', 'x'),
    'use/index.mdx': page('U', 'x'),
    'b.mdx': page('B', '[u](/use)'),
  };
  expect((await remove(files, 'use.mdx', 'use/index.mdx', 'docs.json')).text).toBe(files['docs.json']);
});

test.each([
  ['an anchor', 'gone.mdx', '/a#sec', 'must be another page, without #'],
  ['an image', 'img/x.png', '/b', 'redirect_to is only for pages'],
])('a deletion with %s is refused', async (_name, path, to, message) => {
  const files = {
    ...pages,
    'docs.json': mintlify(['a', 'b']),
    'a.mdx': page('A', '## Sec\n\n![x](/img/x.png)'),
    'img/x.png': 'x',
  };
  const { output, text } = await remove(files, path, to, path);
  expect(output).toContain(message);
  expect(text).not.toBe('missing');
});

const named = (body: string) => ({
  'docs.json': mintlify(['install', 'b']),
  'install.mdx': page('I', 'x'),
  'b.mdx': page('B', body),
});

test.each<[string, Record<string, string>, [from: string, to: string], string]>([
  [
    'a URL with an address of one word',
    named('`https://docs.acme.dev/install`'),
    ['install.mdx', 'setup.mdx'],
    'b.mdx:5',
  ],
  [
    'a path below the folder of the site',
    {
      'mkdocs.yml': 'nav:\n  - install.md\n  - b.md\n',
      'docs/install.md': '# I',
      'docs/b.md': '# B',
      'src/x.py': '# see docs/install.md\n',
    },
    ['docs/install.md', 'docs/setup.md'],
    'src/x.py:1 (protected)',
  ],
  [
    'a line that was updated in another place',
    named('[i](/install) or `https://x.dev/install`'),
    ['install.mdx', 'setup.mdx'],
    'b.mdx:5: [i](/setup) or `https://x.dev/install`',
  ],
  [
    'a page whose default language lies at the root',
    {
      'docs.json': JSON.stringify({
        navigation: {
          languages: [
            { language: 'en', pages: ['guides/install', 'guides/b'] },
            { language: 'fr', pages: ['fr/guides/install', 'fr/guides/b'] },
          ],
        },
      }),
      'guides/install.mdx': page('I', 'x'),
      'guides/b.mdx': page('B', '`/guides/install`'),
      'fr/guides/install.mdx': page('I', 'x'),
      'fr/guides/b.mdx': page('B', '`/fr/guides/install`'),
    },
    ['fr/guides/install.mdx', 'fr/guides/setup.mdx'],
    'fr/guides/b.mdx:5',
  ],
])('what names the old place is listed: %s', async (_name, files, [from, to], expected) => {
  const { output } = await move(files, from, to);
  const [, rows = ''] = output.split('Still named as text or in code, where nothing was updated:\n');
  expect(rows).toContain(expected);
  expect(rows.split('\n')).toHaveLength(1);
});

test.each<[string, Record<string, string>, [from: string, to: string]]>([
  [
    'links to an address that stays',
    { ...named('[i](/install)'), 'install.mdx': '', 'install.md': page('I', 'x') },
    ['install.md', 'install/index.mdx'],
  ],
  [
    'another image',
    { ...named('![y](/img/logo.svg)'), 'img/logo.png': 'x', 'img/logo.svg': '<svg/>' },
    ['img/logo.png', 'img/brand.png'],
  ],
  ['another package', named('`npm/install` and `pip/install-tools` and `/install/more`'), ['install.mdx', 'setup.mdx']],
])('what names something else is not listed: %s', async (_name, files, [from, to]) => {
  expect((await move(files, from, to)).output).not.toContain('Still named');
});
