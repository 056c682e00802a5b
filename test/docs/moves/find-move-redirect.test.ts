import { expect, test } from 'vitest';
import { createDocumentation } from '../../../src/docs/documentation.ts';
import { applyEdits } from '../../../src/docs/moves/apply-edits.ts';
import { movePage } from '../../../src/docs/moves/move-page.ts';
import { findLostAddresses } from '../../../src/docs/problems/find-lost-addresses.ts';
import { openTree } from '../support/check-files.ts';
import { rowsOf } from '../support/rows-of.ts';
import { toTree } from './small-sites.ts';

const page = '---\ntitle: A\n---\n\n# A\n';

function move(files: Record<string, string>, from: string, to: string) {
  const tree = toTree(new Map(Object.entries(files)));
  const { redirect } = movePage(openTree(tree), { from, to });
  const [edit] = redirect?.edits ?? [];
  return { where: redirect?.where, after: edit && applyEdits(files[edit.file] ?? '', [edit]) };
}

const docusaurus = { 'docusaurus.config.js': 'export default {};\n', 'docs/a.md': page, 'docs/z.md': page };
const next = { 'source.config.ts': '', 'content/docs/a.mdx': page, 'content/docs/z.mdx': page };
const mintlify = { 'index.mdx': page, 'a.mdx': page };

test.each(
  rowsOf<{ files: Record<string, string>; from?: string; to?: string; file: string; after: string }>({
    'an object of a list in JSON, one line each': {
      files: {
        ...mintlify,
        'docs.json':
          '{\n  "navigation": {"pages": ["index", "a"]},\n  "redirects": [\n    { "source": "/x/:slug*", "destination": "/a" },\n    { "source": "/y", "destination": "/index" }\n  ]\n}\n',
      },
      from: 'a.mdx',
      to: 'b/c.mdx',
      file: 'docs.json',
      after:
        '{\n  "navigation": {"pages": ["index", "a"]},\n  "redirects": [\n    { "source": "/x/:slug*", "destination": "/a" },\n    { "source": "/y", "destination": "/index" },\n    { "source": "/a", "destination": "/b/c" }\n  ]\n}\n',
    },
    'a table of TOML, before the one for everything and with no condition': {
      files: {
        ...docusaurus,
        'netlify.toml':
          '[[redirects]]\nfrom = "/old"\nto = "/docs/z/"\nstatus = 301\nforce = true\n\n[[redirects]]\nfrom = "/fr"\nto = "/docs/z"\nconditions = {Language = ["fr"]}\n\n[[redirects]]\nfrom = "/app"\nto = "/docs/z"\nstatus = 200\n\n[[redirects]]\nfrom = "/*"\nto = "/docs/z"\n',
      },
      file: 'netlify.toml',
      after:
        '[[redirects]]\nfrom = "/old"\nto = "/docs/z/"\nstatus = 301\nforce = true\n\n[[redirects]]\nfrom = "/docs/a"\nto = "/docs/b/"\nstatus = 301\nforce = true\n\n[[redirects]]\nfrom = "/fr"\nto = "/docs/z"\nconditions = {Language = ["fr"]}\n\n[[redirects]]\nfrom = "/app"\nto = "/docs/z"\nstatus = 200\n\n[[redirects]]\nfrom = "/*"\nto = "/docs/z"\n',
    },
    'a line of _redirects': {
      files: { ...docusaurus, 'static/_redirects': '# Old\n/old  /docs/z  301\n/* /docs/z 404\n' },
      file: 'static/_redirects',
      after: '# Old\n/old  /docs/z  301\n/docs/a  /docs/b  301\n/* /docs/z 404\n',
    },
    'an object of code, in one line with others': {
      files: {
        ...docusaurus,
        'docusaurus.config.js':
          "export default { plugins: [['@docusaurus/plugin-client-redirects', { redirects: [{ from: ['/x', '/y'], to: '/docs/z' }, { from: '/w', to: '/docs/z' }] }]] };\n",
      },
      file: 'docusaurus.config.js',
      after:
        "export default { plugins: [['@docusaurus/plugin-client-redirects', { redirects: [{ from: ['/x', '/y'], to: '/docs/z' }, { from: '/w', to: '/docs/z' }, { from: '/docs/a', to: '/docs/b' }] }]] };\n",
    },
    'an object of next.config': {
      files: {
        ...next,
        'next.config.mjs':
          "export default {\n  async redirects() {\n    return [\n      {\n        source: '/x',\n        destination: '/docs/z',\n        permanent: true,\n      },\n    ];\n  },\n};\n",
      },
      from: 'content/docs/a.mdx',
      to: 'content/docs/b.mdx',
      file: 'next.config.mjs',
      after:
        "export default {\n  async redirects() {\n    return [\n      {\n        source: '/x',\n        destination: '/docs/z',\n        permanent: true,\n      },\n      {\n        source: '/docs/a',\n        destination: '/docs/b',\n        permanent: true,\n      },\n    ];\n  },\n};\n",
    },
    'a pair of Astro': {
      files: {
        'astro.config.mjs': "export default { redirects: {\n  '/x': '/z/',\n} };\n",
        'src/content/docs/a.md': page,
        'src/content/docs/z.md': page,
      },
      from: 'src/content/docs/a.md',
      to: 'src/content/docs/b.md',
      file: 'astro.config.mjs',
      after: "export default { redirects: {\n  '/x': '/z/',\n  '/a': '/b/',\n} };\n",
    },
    'paths of MkDocs': {
      files: {
        'mkdocs.yml': 'site_name: x\nplugins:\n  - redirects:\n      redirect_maps:\n        old.md: z.md\n',
        'docs/a.md': page,
        'docs/z.md': page,
      },
      file: 'mkdocs.yml',
      after: 'site_name: x\nplugins:\n  - redirects:\n      redirect_maps:\n        old.md: z.md\n        a.md: b.md\n',
    },
    'an address and a path of GitBook': {
      files: {
        '.gitbook.yaml': 'redirects:\n  old/page: z.md\n',
        'SUMMARY.md': '* [A](a.md)\n* [Z](z.md)\n',
        'a.md': page,
        'z.md': page,
      },
      from: 'a.md',
      to: 'use/b.md',
      file: '.gitbook.yaml',
      after: 'redirects:\n  old/page: z.md\n  a: use/b.md\n',
    },
  }),
)(
  'a page that moves gets a redirect like another one: $name',
  ({ files, from = 'docs/a.md', to = 'docs/b.md', after, file }) => {
    const found = move(files, from, to);
    expect(found.after).toBe(after);
    expect(found.where).toContain(`${file}, after line `);
  },
);

test.each([
  { name: 'no front matter', text: '# A\n', after: '---\naliases:\n  - /a/\n---\n\n# A\n' },
  { name: 'no list', text: page, after: page.replace('---\n\n', 'aliases:\n  - /a/\n---\n\n') },
  { name: 'lines', text: '---\naliases:\n- /x/\n---\n', after: '---\naliases:\n- /x/\n- /a/\n---\n' },
  { name: 'brackets', text: '---\naliases: [/x/]\n---\n', after: '---\naliases: [/x/, /a/]\n---\n' },
  { name: 'TOML', text: '+++\ntitle = "A"\n+++\n', after: undefined },
])('a page of Hugo that moves keeps its old address in its front matter: $name', ({ text, after }) => {
  const found = move({ 'hugo.toml': 'title = "x"\n', 'content/a.md': text }, 'content/a.md', 'content/b.md');
  expect(found).toEqual({ where: 'content/b.md: aliases: [/a/] in its front matter', after });
});

test('a page of Jekyll keeps its old address where the plugin for it is on', () => {
  const config = 'plugins:\n  - jekyll-redirect-from\n';
  const found = move({ '_config.yml': config, 'a.md': page }, 'a.md', 'b.md');
  expect(found.after).toBe(page.replace('---\n\n', 'redirect_from:\n  - /a.html\n---\n\n'));
  expect(move({ '_config.yml': 'title: x\n', 'a.md': page }, 'a.md', 'b.md').after).toBeUndefined();
});

test.each([
  { from: 'src/a.md', to: 'src/b/c.md', line: '"/a.html" = "b/c.html"' },
  { from: 'src/x/a.md', to: 'src/c.md', line: '"/x/a.html" = "../c.html"' },
])('mdBook leads on from the old page: $line', ({ from, to, line }) => {
  const config = '[book]\ntitle = "A"\n\n[output.html.redirect]\n"/old.html" = "z.html"\n';
  const book = { 'src/SUMMARY.md': `- [Z](z.md)\n- [A](${from.slice(4)})\n`, 'src/z.md': page, [from]: page };
  expect(move({ ...book, 'book.toml': config }, from, to).after).toBe(`${config}${line}\n`);
});

test('an address is answered by a redirect with the base address in front', () => {
  const files = {
    'docusaurus.config.js': "export default { baseUrl: '/site/' };\n",
    'docs/a.md': page,
    'docs/z.md': page,
    _redirects: '/site/docs/a /site/docs/z\n/old /docs/z\n',
  };
  expect(move(files, 'docs/a.md', 'docs/b.md').where).toBeUndefined();
});

test('a base address stands in front where the other redirect has it', () => {
  const files = {
    'docusaurus.config.js': "export default { baseUrl: '/site/' };\n",
    'docs/a.md': page,
    'docs/z.md': page,
    _redirects: '/site/old /site/docs/z\n',
  };
  expect(move(files, 'docs/a.md', 'docs/b.md').after).toBe('/site/old /site/docs/z\n/site/docs/a /site/docs/b\n');
});

test('where no redirect shows how, the form of the file is told, and nothing is written', () => {
  const files = { ...mintlify, 'docs.json': '{"navigation": {"pages": ["index", "a"]}}\n' };
  expect(move(files, 'a.mdx', 'b.mdx')).toEqual({
    where: 'docs.json: "redirects": [{ "source": "/a", "destination": "/b" }]',
    after: undefined,
  });
  expect(move(docusaurus, 'docs/a.md', 'docs/b.md')).toEqual({ where: undefined, after: undefined });
  expect(
    move({ ...next, 'next.config.mjs': 'export default {};\n' }, 'content/docs/a.mdx', 'content/docs/b.mdx').where,
  ).toBe(
    "next.config.mjs: async redirects() { return [{ source: '/docs/a', destination: '/docs/b', permanent: true }]; }",
  );
  const pattern = { ...docusaurus, _redirects: '/x/* /docs/:splat\n' };
  expect(move(pattern, 'docs/a.md', 'docs/b.md').where).toBe('_redirects, where line 1 has /x/* → /docs/:splat');
});

test('where code makes redirects, none is written, and none is missed', () => {
  const config =
    "import more from './more.mjs';\nexport default { async redirects() { return [{ source: '/x', destination: '/docs/z' }, ...more] } };\n";
  const tree = toTree(new Map(Object.entries({ ...next, 'next.config.mjs': config })));
  const documentation = createDocumentation({ base: tree, head: tree });
  const pages = { from: 'content/docs/a.mdx', to: 'content/docs/b.mdx' };
  expect(movePage(documentation.with(new Map()), pages).redirect).toEqual({
    where: undefined,
    code: 'next.config.mjs',
    edits: [],
  });
  const moved = documentation.with(
    new Map([
      ['content/docs/a.mdx', null],
      ['content/docs/b.mdx', page],
    ]),
  );
  expect(findLostAddresses(moved)).toEqual([]);
});

test('an address that the base does not have, or that something answers, needs no redirect', () => {
  const base = toTree(new Map(Object.entries({ ...docusaurus, _redirects: '/old /docs/z\n' })));
  const documentation = createDocumentation({ base, head: base }).with(new Map([['docs/new.md', page]]));
  expect(movePage(documentation, { from: 'docs/new.md', to: 'docs/newer.md' }).redirect).toBeUndefined();
  const answered = { ...docusaurus, _redirects: '/docs/a/* /docs/z\n/old /docs/z\n' };
  expect(move(answered, 'docs/a.md', 'docs/b.md')).toEqual({ where: undefined, after: undefined });
});
