import { expect, test } from 'vitest';
import { createRedirectTest } from '../../src/docs/sites/redirect-test.ts';
import { type Files, listProblems } from './support/check-files.ts';
import { rowsOf } from './support/rows-of.ts';

test.each<{ source: string; answers: string[]; not: string[] }>([
  { source: '/a', answers: ['/a', '/a/', '/A'], not: ['/a/b', '/'] },
  { source: '/a/:slug', answers: ['/a/x'], not: ['/a', '/a/x/y', '/b/x'] },
  { source: '/a/:slug*', answers: ['/a', '/a/x', '/a/x/y'], not: ['/ab', '/b'] },
  { source: '/a/*', answers: ['/a/x/y'], not: ['/b'] },
  { source: '/a/:slug(x|y)', answers: ['/a/x', '/a/y'], not: ['/a/z', '/a/x/y'] },
  { source: '/a/(x|y)', answers: ['/a/x'], not: ['/a/z'] },
  { source: '/a/:path(.*)', answers: ['/a/x/y'], not: ['/b'] },
  { source: '/a/:id(\\d+)', answers: ['/a/1'], not: ['/a/1/2'] },
  { source: '/*', answers: [], not: ['/a', '/'] },
  { source: '/:path*', answers: [], not: ['/a'] },
  { source: '/:language/*', answers: [], not: ['/a/b'] },
])('a redirect from $source answers where it fits; one for everything excuses nothing', ({ source, answers, not }) => {
  const isRedirected = createRedirectTest([{ from: source, to: '/x' }]);
  expect(answers.filter((address) => !isRedirected(address))).toEqual([]);
  expect(not.filter(isRedirected)).toEqual([]);
});

test('a redirect to the page for lost readers excuses nothing', () => {
  expect(createRedirectTest([{ from: '/ja/*', to: '/ja/404.html' }])('/ja/a')).toBe(false);
});

const page = '---\ntitle: A\n---\n\nText of a page that is long enough to be found again.\n';
const json = (value: unknown) => JSON.stringify(value, null, 2);
const mintlify = (redirects: { source: string; destination: string }[], pages = ['index', 'a']): Files => ({
  'docs.json': json({ navigation: { pages }, redirects }),
  'index.mdx': page,
  'a.mdx': `${page}\nMore.\n`,
});
const netlify = (...rules: [string, string][]) =>
  rules.map(([from, to]) => `[[redirects]]\nfrom = "${from}"\nto = "${to}"\n`).join('\n');

test.each(
  rowsOf<{ base: Files; change: Record<string, string | null>; problems: string[] }>({
    'to a page, to an address outside, or to what the host fills in': {
      base: mintlify([]),
      change: mintlify([
        { source: '/x', destination: '/a' },
        { source: '/y', destination: 'https://example.com' },
        { source: '/z/:slug*', destination: '/zz/:slug*' },
      ]),
      problems: [],
    },
    'to nothing': {
      base: mintlify([{ source: '/old', destination: '/gone' }]),
      change: mintlify([
        { source: '/old', destination: '/gone' },
        { source: '/b', destination: '/aa' },
      ]),
      problems: ['must redirect docs.json:15 the redirect /b leads to /aa, where there is no page'],
    },
    'in a circle': {
      base: mintlify([]),
      change: mintlify([
        { source: '/x', destination: '/y' },
        { source: '/y/', destination: '/x#part' },
        { source: '/z', destination: '/x' },
      ]),
      problems: [
        'must redirect docs.json:11 the redirect /x leads back to itself: end it at a page',
        'must redirect docs.json:15 the redirect /y/ leads back to itself: end it at a page',
      ],
    },
    'behind one for everything': {
      base: {
        'docusaurus.config.js': '',
        'docs/a.md': page,
        'netlify.toml': netlify(['/b', '/docs/a'], ['/*', '/docs/a']),
      },
      change: { 'netlify.toml': netlify(['/b', '/docs/a'], ['/*', '/docs/a'], ['/c', '/docs/a']) },
      problems: [
        'should redirect netlify.toml:11 the redirect /c is never reached: /* in line 7 comes first. Move it up',
      ],
    },
    'none, behind one for everything of one host, language or cookie': {
      base: { 'docusaurus.config.js': '', 'docs/a.md': page },
      change: {
        'vercel.json': JSON.stringify({
          redirects: [
            { source: '/:path*', has: [{ type: 'host', value: 'old.test' }], destination: 'https://new.test/:path*' },
            { source: '/b', destination: '/docs/a' },
          ],
        }),
        'netlify.toml': `${netlify(['/*', '/docs/a'])}  conditions = {Language = ["de"]}\n${netlify(['/c', '/docs/a'])}`,
        'static/_redirects': '/* /docs/a 302 Cookie=is_new\n/d /docs/a\n',
      },
      problems: [],
    },
    'missing for a page that moves': {
      base: mintlify([{ source: '/old', destination: '/a' }]),
      change: {
        ...mintlify([{ source: '/old', destination: '/b' }], ['index', 'b']),
        'a.mdx': null,
        'b.mdx': `${page}\nMore.\n`,
      },
      problems: [
        'should redirect docs.json:12 nothing answers at /a any more: a.mdx moved to b.mdx. Add a redirect from /a to /b in docs.json, after line 12: { "source": "/a", "destination": "/b" }',
      ],
    },
    'there for a page that is deleted': {
      base: mintlify([]),
      change: { ...mintlify([{ source: '/a', destination: '/' }], ['index']), 'a.mdx': null },
      problems: [],
    },
    'not kept by the site': {
      base: { 'docusaurus.config.js': '', 'docs/a.md': page, 'docs/b.md': `${page}b` },
      change: { 'docs/b.md': null },
      problems: [],
    },
  }),
)('a redirect $name', ({ base, change, problems }) => {
  expect(listProblems(base, change)).toEqual(problems);
});

test.each(
  rowsOf<{ base: Files; change: Files; problems: string[] }>({
    '_category_.json': {
      base: { 'docusaurus.config.js': '', 'docs/a.md': page, 'docs/_category_.json': '{}' },
      change: { 'docs/_category_.json': '{' },
      problems: ['must navigation docs/_category_.json:1 not valid JSON: CloseBraceExpected'],
    },
    'sidebars.json': {
      base: {
        'docusaurus.config.js': "export default { sidebarPath: './sidebars.json' }",
        'docs/a.md': page,
        'sidebars.json': '{"docs":["a"]}',
      },
      change: { 'sidebars.json': '{"docs":["a"}' },
      problems: ['must navigation sidebars.json:1 not valid JSON: CommaExpected'],
    },
    'meta.json': {
      base: { 'source.config.ts': '', 'content/docs/a.mdx': page, 'content/docs/meta.json': '{"pages":["a"]}' },
      change: { 'content/docs/meta.json': '{"pages":["a",]}' },
      problems: ['must navigation content/docs/meta.json:1 not valid JSON: ValueExpected'],
    },
    'a file that docs.json refers to': {
      base: {
        'docs.json': '{"navigation":{"pages":["a"]},"redirects":{"$ref":"./redirects.json"}}',
        'a.mdx': page,
        'redirects.json': '[]',
      },
      change: { 'redirects.json': '[{]' },
      problems: ['must navigation redirects.json:1 not valid JSON: PropertyNameExpected'],
    },
    '.gitbook.yaml': {
      base: { '.gitbook.yaml': 'root: ./\n', 'README.md': page, 'SUMMARY.md': '* [A](README.md)\n' },
      change: { '.gitbook.yaml': 'root: ./\nredirects: a: b\n' },
      problems: ['must navigation .gitbook.yaml:2 not valid YAML: Nested mappings are not allowed in compact mappings'],
    },
    'book.toml': {
      base: { 'book.toml': '[book]\ntitle = "A"\n', 'src/SUMMARY.md': '- [A](a.md)\n', 'src/a.md': page },
      change: { 'book.toml': '[book]\ntitle = A\n' },
      problems: ['must navigation book.toml:2 not valid TOML: Invalid TOML document: invalid value'],
    },
    'mkdocs.yml, whose unknown tags are no fault': {
      base: { 'mkdocs.yml': 'nav:\n  - index.md\n', 'docs/index.md': page },
      change: { 'mkdocs.yml': 'hooks: !!python/name:a.b\nplugins:\n  - search: !ENV [A, b]\nnav:\n  - index.md\n' },
      problems: [],
    },
  }),
)('navigation that cannot be read: $name', ({ base, change, problems }) => {
  expect(listProblems(base, change)).toEqual(problems);
});

test('a file of the host that two sites share is judged by both, and only by the site that it leads to', () => {
  const base = {
    'a/.vitepress/config.ts': '',
    'a/index.md': page,
    'a/guide.md': page,
    'b/.vitepress/config.ts': '',
    'b/index.md': page,
    'b/other.md': page,
    _redirects: '/x /guide\n',
  };
  expect(listProblems(base, { _redirects: '/x /guide\n/y /guide\n/z /none\n' })).toEqual([
    'must redirect _redirects:3 the redirect /z leads to /none, where there is no page',
  ]);
  expect(listProblems(base, { 'b/other.md': null })).toEqual([]);
  expect(listProblems(base, { 'a/guide.md': null }).filter((line) => line.includes(' redirect '))).toHaveLength(2);
});
