import { expect, test } from 'vitest';
import { tryChange } from '../try-change.ts';
import { replace, type SitePath, sites } from './sites.ts';

const vitepress = 'docs/.vitepress/config.mts';
const docusaurus = 'website/docusaurus.config.ts';
const starlight = 'starlight/astro.config.mjs';
const next = 'next/next.config.mjs';
const meta = 'next/app/_meta.global.tsx';

test.each<[name: string, path: SitePath, from: string, to: string]>([
  [
    'VitePress: a page in a sidebar that a function makes',
    vitepress,
    "link: 'install' }",
    "link: 'install' },\n        { text: 'Update', link: 'update' }",
  ],
  ['VitePress: the text of an entry', vitepress, "text: 'Start',", "text: 'Get started: how to',"],
  ['VitePress: an entry fewer', vitepress, "{ text: 'Start', link: 'start' },\n", ''],
  [
    'VitePress: a group in a sidebar that is a constant',
    vitepress,
    'const sidebarApi = [',
    "const sidebarApi = [\n  { text: 'More', collapsed: true, items: [{ text: 'Errors', link: '/api/errors' }] },",
  ],
  ['VitePress: an entry beside a call', vitepress, '...listPages', "{ text: 'More', link: 'more' },\n    ...listPages"],
  [
    'VitePress: an entry beside a condition',
    vitepress,
    '...(process',
    "{ text: 'Blog', link: 'https://acme.example/blog', target: '_blank', rel: 'noreferrer' },\n        ...(process",
  ],
  ['VitePress: an entry within a condition', vitepress, "link: '/next/' }", "link: '/next/start' }"],
  [
    'VitePress: an entry below one with a name',
    vitepress,
    '{ text: version, items: [',
    "{ text: version, items: [{ text: 'Old', link: '/v1/' }, ",
  ],
  [
    'VitePress: an entry with a name is removed',
    vitepress,
    "        { text: version, items: [{ text: 'Changelog', link: 'https://github.com/acme/acme/releases' }] },\n",
    '',
  ],
  [
    'VitePress: a section of the sidebar by path',
    vitepress,
    "'/api/': sidebarApi",
    "'/api/': sidebarApi,\n        '/help/': [{ text: 'Help', link: '/help/' }]",
  ],
  [
    'VitePress: rewrites, which it did not have',
    vitepress,
    "    title: 'Acme',",
    "    title: 'Acme',\n    rewrites: { 'en/:rest*': ':rest*' },",
  ],
  ['VitePress: a message in the footer', vitepress, "message: 'MIT'", "message: 'Apache 2.0'"],
  ['VitePress: a comment', vitepress, '// The site.', '// The site, in English.'],
  [
    'VitePress: another layout',
    vitepress,
    "{ text: 'Start', link: 'start' }",
    '{\n text: "Start",\n "link": `start`,\n}',
  ],
  [
    'VitePress: a sidebar in a file that the configuration imports',
    'docs/.vitepress/sidebars/guide.ts',
    "'/guide/start' }",
    "'/guide/start' },\n  { text: 'Next', link: '/guide/next' }",
  ],
  [
    'VitePress: the sidebar of a language',
    'docs/de/config.ts',
    "{ text: 'Start', link: '/de/' }",
    "{ text: 'Start', link: '/de/' }, { text: 'Über', link: '/de/ueber' }",
  ],
  [
    'Docusaurus: an item of the navbar',
    docusaurus,
    '{ href:',
    "{ to: '/help', label: 'Help', position: 'left' },\n        { href:",
  ],
  [
    'Docusaurus: a redirect of the plugin',
    docusaurus,
    "to: '/new' }",
    "to: '/new' }, { from: ['/a', '/b'], to: '/c' }",
  ],
  [
    'Docusaurus: a link in the footer, beside HTML',
    docusaurus,
    "to: '/blog' }",
    "to: '/blog' }, { label: 'Chat', href: 'https://chat.acme.example' }",
  ],
  ['Docusaurus: a page in a category', 'website/sidebars.ts', "'guides/two'", "'guides/two', 'guides/three'"],
  [
    'Docusaurus: a category by its label',
    'website/sidebars.ts',
    "'intro',",
    "'intro',\n    { 'Getting started': ['a', 'b'] },",
  ],
  ['Docusaurus: a sidebar', 'website/sidebars.ts', '  api:', "  help: ['help/index'],\n  api:"],
  ['Docusaurus: a sidebar of CommonJS', 'website/sidebarsCommunity.js', "'team'", "'team', 'conduct'"],
  ['Starlight: a page by its slug', starlight, "'start',", "'start', 'next-steps',"],
  ['Starlight: a translation', starlight, "de: 'Beginne hier'", "de: 'Beginne hier', 'pt-BR': 'Comece aqui'"],
  [
    'Starlight: a group that lists a folder',
    starlight,
    '...(isDraft',
    "{ label: 'Guides', collapsed: true, items: [{ autogenerate: { directory: 'guides' } }] },\n\t\t\t\t...(isDraft",
  ],
  [
    'Astro: redirects, which it did not have',
    starlight,
    '\tsite:',
    "\tredirects: { '/old': '/new', '/older': { status: 301, destination: '/new' } },\n\tsite:",
  ],
  [
    'Next: a redirect',
    next,
    'permanent: true },',
    "permanent: true },\n      { source: '/a/:slug*', destination: '/b/:slug*', permanent: false },",
  ],
  ['Next: a rewrite', next, "'/docs/start' }", "'/docs/start' }, { source: '/x', destination: '/y' }"],
  ['Nextra: a page of a constant', meta, "start: 'Start',", "start: 'Start',\n  install: '',"],
  [
    'Nextra: an entry beside one with an element',
    meta,
    '  posts:',
    "  tags: { title: 'Tags', href: '/tags' },\n  posts:",
  ],
  [
    'Nextra: the order of entries',
    meta,
    "  start: 'Start',\n  _: { type: 'separator', title: 'More' },\n  posts: <Icon name=\"x\" />",
    "  posts: <Icon name=\"x\" />,\n  start: 'Start',\n  _: { type: 'separator', title: 'More' }",
  ],
  ['Next: a redirect with digits', next, "'/old'", "'/old/:id(\\\\d+)*'"],
  ['Next: a redirect that leaves pages out', next, "'/old'", "'/old/:path((?!api).*)'"],
  ['Next: a redirect to a port', next, "'/new'", "'https://acme.example:8080/new/:path*'"],
  [
    'Nextra: how a page looks',
    meta,
    "start: 'Start',",
    "start: { title: 'Start', theme: { toc: false, layout: 'full' } },",
  ],
  [
    'Nextra: a page named like a setting',
    'next/content/_meta.js',
    "components: 'Components',",
    "components: 'Components',\n  plugins: 'Plugins',",
  ],
  [
    'Fumadocs: a link',
    'next/lib/layout.shared.tsx',
    'links: [',
    "links: [{ text: 'Chat', url: 'https://chat.acme.example', external: true }, ",
  ],
])('%s may change', async (_, path, from, to) => {
  expect(await tryChange(sites, path, replace(path, from, to))).toBeUndefined();
});

test('a configuration with an older way to import JSON may change', async () => {
  const path = 'starlight/astro.config.mjs';
  const base = replace(path, '// @ts-check', "import locales from './locales.json' assert { type: 'json' };");
  const after = base.replace("'start',", "'start', 'next-steps',");
  expect(await tryChange({ ...sites, [path]: base }, path, after)).toBeUndefined();
});

test('a list that a function makes may change where another one follows it', async () => {
  const path = 'docs/.vitepress/config.mts';
  const base =
    "const guide = () => [{ text: 'A', link: '/a' }];\nexport default { themeConfig: { sidebar: guide().concat([{ text: 'B', link: '/b' }]) } };\n";
  const add = (link: string) => base.replace("link: '/a' }", `link: '/a' }, { text: 'N', link: '${link}' }`);
  expect(await tryChange({ ...sites, [path]: base }, path, add('/n'))).toBeUndefined();
  expect(await tryChange({ ...sites, [path]: base }, path, add('//evil.example'))).toContain('cannot be written');
});

test('every file of the sites says that a part of it may change', async () => {
  for (const path of Object.keys(sites)) {
    expect(await tryChange(sites, path, 'New\n'), path).toContain('may change');
  }
});

test('a refusal says where the file holds entries, and how they are written', async () => {
  const refusal = await tryChange(sites, vitepress, replace(vitepress, 'vite: { plugins: [] }', 'vite: {}'));
  expect(refusal).toContain('line 16 (`vite: {},`)');
  expect(refusal).toContain('nav (lines 18 to 22)');
  expect(refusal).toMatch(/written like `\{ text: '[^`]*' \}`/);
});
