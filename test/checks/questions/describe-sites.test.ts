import { expect, test } from 'vitest';
import { createDocumentation } from '../../../src/checks/documentation.ts';
import { describeSites } from '../../../src/checks/questions/describe-sites.ts';
import { createTree } from '../../../src/checks/tree.ts';

type Files = Record<string, string>;

function describe(files: Files) {
  const tree = createTree({ paths: new Set(Object.keys(files)), read: (path) => files[path] });
  return describeSites(createDocumentation({ base: tree, head: tree }).with(new Map()));
}

test('an overview has the sites with their navigation, redirects, languages and versions, the largest first', () => {
  const { sites, siteCount } = describe({
    'docs.json': JSON.stringify({
      navigation: {
        languages: [
          { language: 'en', pages: ['index', 'guides/setup'] },
          { language: 'fr', pages: ['fr/index'] },
        ],
      },
      redirects: { $ref: './redirects.json' },
    }),
    'redirects.json': '[{"source": "/old", "destination": "/guides/setup"}]',
    'gt.config.json': '{}',
    'index.mdx': '',
    'guides/setup.mdx': '',
    'fr/index.mdx': '',
    'README.md': '',
  });
  expect(siteCount).toBe(1);
  expect(sites).toEqual([
    {
      framework: 'Mintlify',
      root: '',
      pages: 3,
      folders: [
        { folder: '', pages: 1, names: ['index.mdx'] },
        { folder: 'fr', pages: 1, names: ['index.mdx'] },
        { folder: 'guides', pages: 1, names: ['setup.mdx'] },
      ],
      configurationFiles: ['docs.json', 'redirects.json'],
      navigation: [{ file: 'docs.json', entries: 3, isCode: false }],
      navigationFiles: 1,
      navigationFile: 'docs.json',
      redirects: [{ file: 'redirects.json', redirects: 1 }],
      redirectCode: undefined,
      languages: [
        { code: 'en', folder: undefined, isDefault: true, isGenerated: false, pages: 2 },
        { code: 'fr', folder: 'fr', isDefault: false, isGenerated: true, pages: 1 },
      ],
      versions: [],
    },
  ]);
});

test('files for authors and fixtures are no pages, and a site of nothing else is left out', () => {
  const authors = { 'README.md': '', 'CHANGELOG.md': '', '.github/bug.md': '', 'test/__fixtures__/docs/a.md': '' };
  const fixture = { 'fixtures/site/docusaurus.config.js': '', 'fixtures/site/docs/a.md': '' };
  const docs = { 'mkdocs.yml': 'site_name: x\n', 'docs/index.md': '' };
  expect(describe({ ...docs, ...authors, ...fixture }).sites).toEqual([
    expect.objectContaining({ framework: 'MkDocs', pages: 1 }),
  ]);
  expect(describe({ ...docs, ...authors, 'guides/use.md': '' }).sites[0]).toMatchObject({
    framework: 'Markdown',
    pages: 3,
    folders: [
      { folder: '', pages: 2, names: ['CHANGELOG.md', 'README.md'] },
      { folder: 'guides', pages: 1, names: ['use.md'] },
    ],
  });
  // Then they are the documentation.
  expect(describe(authors).sites).toEqual([expect.objectContaining({ framework: 'Markdown', pages: 2 })]);
});

test('versions of Docusaurus are told with their folders, and the languages that people keep', () => {
  const [site] = describe({
    'docusaurus.config.js': "export default { i18n: { defaultLocale: 'en', locales: ['en', 'fr'] } };",
    'versions.json': '["2.0", "1.0"]',
    'docs/a.md': '',
    'versioned_docs/version-2.0/a.md': '',
    'versioned_docs/version-1.0/a.md': '',
    'i18n/fr/docusaurus-plugin-content-docs/current/a.md': '',
  }).sites;
  expect(site?.versions).toEqual([
    { name: '2.0', folder: 'versioned_docs/version-2.0', isLatest: true, pages: 1 },
    { name: '1.0', folder: 'versioned_docs/version-1.0', isLatest: false, pages: 1 },
    { name: 'next', folder: 'docs', isLatest: false, pages: 1 },
  ]);
  expect(site?.languages).toEqual([
    { code: 'en', folder: undefined, isDefault: true, isGenerated: false, pages: 3 },
    { code: 'fr', folder: 'i18n/fr', isDefault: false, isGenerated: false, pages: 1 },
  ]);
});

test('pages are named where all sites together have few, also those in deep folders', () => {
  const pages = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`b/${index}.md`, '']));
  const deep = { 'mkdocs.yml': 'site_name: x\n', 'docs/index.md': '', 'docs/a/b/c/d.md': '' };
  const namesOf = (files: Files) =>
    describe(files).sites.flatMap(({ folders }) => folders.flatMap(({ names }) => names));
  expect(namesOf(deep).toSorted()).toEqual(['c/d.md', 'index.md']);
  expect(namesOf({ ...deep, ...pages(38) })).toHaveLength(40);
  expect(namesOf({ ...deep, ...pages(39) })).toEqual([]);
});

test('an overview of a large repository is short', () => {
  const pages = Array.from(
    { length: 3_000 },
    (_, index) => [`docs/section-${index % 100}/page-${index}.md`, ''] as const,
  );
  const { sites } = describe(Object.fromEntries([['mkdocs.yml', 'site_name: x\n'], ...pages]));
  expect(sites[0]).toMatchObject({ pages: 3_000, folders: { length: 40 } });
  expect(JSON.stringify(sites).length).toBeLessThan(4_000);
});
