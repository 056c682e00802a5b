import { expect, test } from 'vitest';
import { deletePage } from '../../src/docs/moves/delete-page.ts';
import { movePage } from '../../src/docs/moves/move-page.ts';
import { type Files, listProblems, openTree, toTree } from './support/check-files.ts';
import { tuplesOf } from './support/rows-of.ts';

const docsify: Files = {
  'docs/index.html':
    "<script>window.$docsify = { loadSidebar: true, alias: { '.*?/changelog': 'https://x.org/c.md', '/de/(.*)': '/$1' } }</script>",
  'docs/_sidebar.md':
    '- [Home](/)\n- [Install](guide/install.md)\n- [Limits](/guide/limits)\n- [Changes](changelog.md)\n',
  'docs/README.md': '# Home\n',
  'docs/guide/install.md': '# Install\n\nSee [limits](limits.md).\n',
  'docs/guide/limits.md': '# Limits\n\n## Of sizes\n',
};
const rspress: Files = {
  'rspress.config.ts':
    "export default defineConfig({ lang: 'en', base: '/kit/', locales: [{ lang: 'en' }, { lang: 'zh' }] });",
  'docs/en/index.md': '# Home\n',
  'docs/en/_meta.json': '["index", { "type": "dir-section-header", "name": "guide" }, { "type": "divider" }]',
  'docs/en/guide/_meta.json': '["install", "limits"]',
  'docs/en/guide/install.mdx': '# Install\n\nSee [limits](/guide/limits).\n',
  'docs/en/guide/limits.md': '# Limits\n\n## Of sizes \\{#sizes}\n',
  'docs/zh/guide/install.md': '# Install\n',
};
const vuepress: Files = {
  'docs/.vuepress/config.ts':
    "export default { base: '/kit/', theme: { sidebar: ['/guide/install.md', '/guide/limits.md'] } };",
  'docs/README.md': '# Home\n',
  'docs/guide/install.md': '# Install\n\nSee [limits](./limits.md).\n',
  'docs/guide/limits.md': '---\npermalink: /sizes.html\n---\n\n# Limits\n',
};

/** A page that is added, what it says, and its problems. */
test.each(
  tuplesOf<[Files, string, string, string[]?]>({
    'Docsify: links from the root and from the page': [
      docsify,
      'docs/guide/_new.md',
      '[a](install.md) [b](guide/install) [c](/guide/) [d](/guide/install?id=x)',
      ['link /guide/ leads to no page'],
    ],
    'Docsify: addresses behind a hash': [
      docsify,
      'docs/guide/_new.md',
      '[a](#/guide/install) [b](#/) [c](#/guide/none?id=x)',
    ],
    'Docsify: addresses that an alias makes': [docsify, 'docs/guide/_new.md', '[a](/changelog) [b](/de/guide/none)'],
    'Docsify: tags that stay open': [docsify, 'docs/guide/_new.md', '<p>a\n\n<figure>\n'],
    'Docsify: anchors by letters': [
      docsify,
      'docs/guide/_new.md',
      '[a](limits.md#of-sizes) [b](limits.md#none)',
      ['link limits.md#none: docs/guide/limits.md has no heading or id for #none'],
    ],
    'Rspress: addresses of the default language': [
      rspress,
      'docs/en/new.mdx',
      '[a](/guide/install) [b](/en/guide/install.html) [c](/kit/guide/limits#sizes) [d](/zh/guide/install) [e](/zh/guide/limits)',
      ['link /zh/guide/limits leads to no page'],
    ],
    'Rspress: addresses on a page in another language': [
      rspress,
      'docs/zh/new.md',
      '[a](/guide/install) [b](guide/install.md) [c](/guide/none)',
      ['link /guide/none leads to no page'],
    ],
    'VuePress: files, addresses and permalinks': [
      vuepress,
      'docs/guide/new.md',
      '[a](install.md) [b](/guide/install.html) [c](/sizes.html) [d](/guide/none.html) [e](../README.md)',
      ['link /guide/none.html leads to no page'],
    ],
  }),
)('%s', (_, base, path, text, problems = []) => {
  const meta =
    path === 'docs/en/new.mdx' ? { 'docs/en/_meta.json': '["index", "new", { "type": "dir", "name": "guide" }]' } : {};
  const found = listProblems(base, { ...meta, [path]: `# New\n\n${text}\n` });
  expect(found.map((line) => line.replace(/^\S+ \S+ \S+ |\. Did you mean.*/g, ''))).toEqual(problems);
});

test('entries to nothing, and pages that no list names', () => {
  expect(listProblems(docsify, { 'docs/_sidebar.md': '- [A](guide/none.md)\n- [B](/guide/install)\n' })).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^must (?:navigation|link) docs\/_sidebar.md:1 .*guide\/none.md leads to no page/),
    ]),
  );
  expect(listProblems(docsify, { 'docs/guide/new.md': '# New\n' })[0]).toContain('should unlisted docs/guide/new.md');
  expect(listProblems(rspress, { 'docs/en/guide/_meta.json': '["install", "limits", "none"]' })).toEqual([
    'must navigation docs/en/guide/_meta.json:1 the entry none leads to no page',
  ]);
  expect(listProblems(rspress, { 'docs/en/guide/new.mdx': '# New\n' })[0]).toContain(
    'should unlisted docs/en/guide/new.mdx',
  );
});

const open = (files: Files) => openTree(toTree(files));
const listEdits = ({ edits }: ReturnType<typeof movePage>) =>
  edits.flatMap(({ file, edits: inside }) => inside.map(({ line, replacement }) => `${file}:${line} ${replacement}`));

test('pages move with links and entries', () => {
  expect(listEdits(movePage(open(docsify), { from: 'docs/guide/limits.md', to: 'docs/sizes.md' }))).toEqual([
    'docs/_sidebar.md:3 /sizes',
    'docs/guide/install.md:3 ../sizes.md',
  ]);
  expect(listEdits(movePage(open(rspress), { from: 'docs/en/guide/limits.md', to: 'docs/en/guide/sizes.md' }))).toEqual(
    ['docs/en/guide/_meta.json:1 sizes', 'docs/en/guide/install.mdx:3 /guide/sizes'],
  );
  expect(listEdits(movePage(open(vuepress), { from: 'docs/guide/limits.md', to: 'docs/guide/sizes.md' }))).toEqual([
    'docs/.vuepress/config.ts:1 /guide/sizes.md',
    'docs/guide/install.md:3 ./sizes.md',
  ]);
});

test('a page of Docsify is deleted in favour of another', () => {
  const move = deletePage(open(docsify), { from: 'docs/guide/limits.md', to: 'docs/README.md' });
  expect(listEdits(move)).toEqual(['docs/_sidebar.md:3 ', 'docs/guide/install.md:3 ../README.md']);
});

test('entries of a summary that a plugin of MkDocs reads', () => {
  const base: Files = {
    'mkdocs.yml': 'site_name: X\nplugins:\n  - literate-nav:\n      nav_file: SUMMARY.md\n',
    'docs/index.md': '# Home\n',
    'docs/guide/a.md': '# A\n',
    'docs/SUMMARY.md': '* [Home](index.md)\n* [Guide](guide/)\n* [All](guide/*.md)\n* [A](guide/a.md)\n',
  };
  expect(listProblems({}, base)).toEqual([]);
  expect(listProblems(base, { 'docs/SUMMARY.md': '* [Home](index.md)\n* [Gone](gone/)\n* [None](none.md)\n' })).toEqual(
    [
      'must navigation docs/SUMMARY.md:2 the entry docs/gone leads to no page',
      'must navigation docs/SUMMARY.md:3 the entry none.md leads to no page',
    ],
  );
  const move = movePage(open(base), { from: 'docs/guide/a.md', to: 'docs/b.md' });
  expect(listEdits(move)).toContain('docs/SUMMARY.md:4 b.md');
});
