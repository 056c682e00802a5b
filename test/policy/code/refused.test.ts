import { expect, test } from 'vitest';
import { tryChange } from '../try-change.ts';
import { replace, type SitePath, sites } from './sites.ts';

const vitepress = 'docs/.vitepress/config.mts';
const docusaurus = 'website/docusaurus.config.ts';
const sidebars = 'website/sidebars.ts';
const starlight = 'starlight/astro.config.mjs';
const next = 'next/next.config.mjs';
const meta = 'next/app/_meta.global.tsx';
const layout = 'next/lib/layout.shared.tsx';

/** In place of the text of an entry. */
const inEntry = (value: string): [SitePath, string, string] => [
  vitepress,
  "{ text: 'Install', link: 'install' }",
  `{ text: 'Install', link: 'install' }, ${value}`,
];

test.each<[name: string, path: SitePath, from: string, to: string]>([
  // What runs, within an entry.
  ['a call', ...inEntry("{ text: read('/etc/passwd'), link: 'x' }")],
  ['a name', ...inEntry('{ text: version, link: "x" }')],
  ['the environment', ...inEntry('{ text: process.env.TOKEN, link: "x" }')],
  ['a template with an expression', ...inEntry('{ text: `${process.env.TOKEN}`, link: "x" }')],
  ['a tagged template', ...inEntry('{ text: String.raw`x`, link: "x" }')],
  ['a function', ...inEntry('{ text: "x", link: () => "x" }')],
  ['a method', ...inEntry('{ text: "x", link() { return "x" } }')],
  ['a getter', ...inEntry('{ text: "x", get link() { return "x" } }')],
  ['a setter', ...inEntry('{ text: "x", set link(x) {} }')],
  ['a spread of an object', ...inEntry('{ ...process.env }')],
  ['a spread of a list', ...inEntry('...sidebarApi')],
  ['a computed key', ...inEntry('{ text: "x", ["li" + "nk"]: "x" }')],
  ['a short key', ...inEntry('{ version }')],
  ['a regular expression', ...inEntry('{ text: /x/, link: "x" }')],
  ['a large number', ...inEntry('{ text: 1n }')],
  ['a number that is none', ...inEntry('{ text: 1e999 }')],
  ['a class', ...inEntry('{ text: class {} }')],
  ['new', ...inEntry('{ text: new Date }')],
  ['an import', ...inEntry('{ text: import("x") }')],
  ['a sum', ...inEntry('{ text: "a" + "b" }')],
  ['undefined', ...inEntry('{ text: undefined }')],
  ['parentheses', ...inEntry('{ text: ("x") }')],
  ['a sequence', ...inEntry('{ text: (0, "x") }')],
  ['an assertion', ...inEntry('{ text: "x" as string }')],
  ['satisfies', ...inEntry('{ text: "x" satisfies string }')],
  ['an assertion that it is not null', ...inEntry('{ text: "x"! }')],
  ['an assignment', ...inEntry('{ text: globalThis.x = "x" }')],
  ['a condition', ...inEntry('{ text: true ? "x" : "y" }')],
  ['a hole', ...inEntry(', { text: "x" }')],
  ['an awaited value', ...inEntry('{ text: await "x" }')],
  ['an object with __proto__', ...inEntry('{ "__proto__": { link: "x" } }')],
  ['an object with a constructor', ...inEntry('{ constructor: "x" }')],
  ['an escape in a key', ...inEntry('{ te\\u0078t: "x" }')],
  ['an escape in a quoted key', ...inEntry('{ "\\x74ext": "x" }')],
  ['a key twice', ...inEntry('{ text: "x", text: "y" }')],
  [
    'a piece of the base twice',
    vitepress,
    '{ text: version, items: [',
    "{ text: version, link: '/' }, { text: version, items: [",
  ],
  ['a piece of the base in another container', vitepress, "message: 'MIT'", 'message: version'],
  [
    'a piece of a function in another function',
    vitepress,
    "'/api/': sidebarApi",
    "'/api/': [...listPages('advanced')]",
  ],
  // What loads, leads elsewhere, or shows as HTML.
  ['a key that loads', ...inEntry("{ text: 'x', component: 'Evil' }")],
  ['a key that nobody knows', ...inEntry("{ text: 'x', html: 'x' }")],
  ['an event', ...inEntry("{ text: 'x', onClick: 'alert(1)' }")],
  ['HTML', ...inEntry("{ text: '<img src=x onerror=alert(1)>', link: 'x' }")],
  ['HTML behind escapes', ...inEntry("{ text: '\\x3Cscript>alert(1)', link: 'x' }")],
  ['a template of the page', ...inEntry("{ text: '{{ constructor }}', link: 'x' }")],
  ['an address that runs code', ...inEntry("{ text: 'x', link: 'java\\tscript:alert(1)' }")],
  ['an address without a protocol', ...inEntry("{ text: 'x', link: '//evil.example' }")],
  ['an address with backslashes', ...inEntry("{ text: 'x', link: '/\\\\evil.example' }")],
  ['code in two pieces', ...inEntry("{ text: 'x', base: 'javascript', link: ':alert(1)' }")],
  ['code in pieces above each other', ...inEntry("{ base: ' javascript', items: [{ text: 'x', link: ':alert(1)' }] }")],
  ['an address in two pieces', ...inEntry("{ text: 'x', base: 'https', link: '://evil.example' }")],
  ['an address without a protocol in two pieces', ...inEntry("{ text: 'x', base: '/', link: '/evil.example' }")],
  ['a name before the host', ...inEntry("{ text: 'x', link: 'https://acme.example@evil.example/' }")],
  ['a path out of the site', ...inEntry("{ text: 'x', link: '../../secret' }")],
  ['a pattern that repeats', ...inEntry("{ text: 'x', link: 'x', activeMatch: '(a+)+$' }")],
  ['a window with a name', ...inEntry("{ text: 'x', link: 'x', target: 'javascript' }")],
  // What stands around the entries.
  ['a statement', vitepress, '// The site.', 'fetch("https://evil.example")'],
  ['an import', vitepress, '// The site.', "import './evil'"],
  ['an import with another source', vitepress, "'vitepress-plugin-mermaid'", "'evil'"],
  ['an export', vitepress, '// The site.', 'export const x = 1'],
  ['a directive', vitepress, 'import {', "'use client'\nimport {"],
  ['a plugin', vitepress, 'plugins: []', "plugins: ['evil']"],
  ['the head', vitepress, 'head: [', "head: [['script', { src: 'https://evil.example/x.js' }], "],
  ['the markdown parser', vitepress, 'md.use(guide)', 'md.use(guide, { html: true })'],
  ['the title', vitepress, "title: 'Acme'", "title: 'Evil'"],
  ['another language', vitepress, 'search: {', 'locales: { de: { themeConfig: { nav: [] } } },\n      search: {'],
  ['a second sidebar', vitepress, 'search: {', 'sidebar: [],\n      search: {'],
  ['the argument of a call', vitepress, "listPages('advanced')", "listPages('/etc')"],
  ['what a function does', vitepress, 'text: name, link: name', "text: name, link: name + 'x'"],
  ['a condition', vitepress, 'process.env.NEXT ?', 'process.env.PREVIEW ?'],
  ['a parameter', vitepress, 'sidebarGuide() {', 'sidebarGuide(x = 1) {'],
  ['an entry that is in fact a return', vitepress, 'return [\n    {', 'return [{}], [\n    {'],
  ['rewrites by a function', vitepress, "    title: 'Acme',", "    title: 'Acme',\n    rewrites() { return {} },"],
  ['rewrites of another name', vitepress, "    title: 'Acme',", "    title: 'Acme',\n    rewrites: guide,"],
  [
    'rewrites to a host',
    vitepress,
    "    title: 'Acme',",
    "    title: 'Acme',\n    rewrites: { a: 'https://evil.example' },",
  ],
  [
    'redirects where the framework has none',
    vitepress,
    "    title: 'Acme',",
    "    title: 'Acme',\n    redirects: { '/a': '/b' },",
  ],
  ['a preset', docusaurus, 'presets: [', "presets: ['evil', "],
  ['the style sheet of a preset', docusaurus, './src/custom.css', 'https://evil.example/x.css'],
  ['a plugin of Docusaurus', docusaurus, "['./plugins/own'", "['evil'], ['./plugins/own'"],
  ['an option of a plugin', docusaurus, "entries: ['a']", "entries: ['b']"],
  ['a script of Docusaurus', docusaurus, "title: 'Acme',", "title: 'Acme',\n  scripts: ['https://evil.example/x.js'],"],
  ['HTML in the navbar', docusaurus, '{ href:', "{ type: 'html', value: '<script>1</script>' }, { href:"],
  ['HTML in the footer', docusaurus, '<b>x</b>', '<script>1</script>'],
  ['an item of another component', docusaurus, '{ href:', "{ type: 'custom-evil', label: 'x' }, { href:"],
  ['a list of plugins among the sidebars', sidebars, '  api:', "  plugins: ['evil'],\n  api:"],
  ['a component in a sidebar', sidebars, "'intro',", "'intro', { type: 'html', value: '<iframe src=x>' },"],
  ['the folder that is listed', sidebars, "dirName: 'api'", "dirName: '//evil'"],
  ['another export', 'website/sidebarsCommunity.js', 'module.exports =', 'exports.x ='],
  ['a required module', 'website/sidebarsCommunity.js', "'team'", "...require('./evil')"],
  ['a plugin of Starlight', starlight, 'starlight({', "starlight({ plugins: ['evil'],"],
  ['a component of Starlight', starlight, 'starlight({', "starlight({ components: { Head: './evil.astro' },"],
  ['the head of Starlight', starlight, 'cdn.acme.example', 'evil.example'],
  ['a style sheet of Starlight', starlight, "'./src/a.css'", "'./src/a.css', 'https://evil.example/x.css'"],
  ['a comment that turns off checks', starlight, 'const isDraft', '// @ts-nocheck\nconst isDraft'],
  ['attributes of HTML', starlight, "'start',", "{ label: 'x', link: '/x', attrs: { onclick: 'alert(1)' } },"],
  ['a style in attributes', starlight, "'start',", "{ label: 'x', link: '/x', attrs: { style: 'x' } },"],
  ['redirects in an integration', starlight, "title: 'Acme',", "title: 'Acme', redirects: { '/a': '/b' },"],
  ['redirects to code', starlight, '\tsite:', "\tredirects: { '/a': 'javascript:alert(1)' },\n\tsite:"],
  [
    'redirects with a status of a page',
    starlight,
    '\tsite:',
    "\tredirects: { '/a': { status: 200, destination: '/b' } },\n\tsite:",
  ],
  ['a condition of a redirect', next, 'permanent: true }', "permanent: true, has: [{ type: 'header', key: 'x' }] }"],
  ['a host that the request names', next, "'/new'", "'https://:host/'"],
  ['a part of a host that the request names', next, "'/new'", "'https://:name.acme.example/'"],
  ['a host behind a port', next, "'/new'", "'https://acme.example:h@evil.example'"],
  ['a pattern that repeats a repetition', next, "'/old'", "'/:x((?:a+)+b)'"],
  ['a pattern that repeats a choice', next, "'/old'", "'/:x((?:a|aa)*b)'"],
  ['a look of a page that runs code', meta, "start: 'Start',", "start: { title: 'x', theme: { toc: () => 1 } },"],
  ['a look of a page that loads', meta, "start: 'Start',", "start: { title: 'x', theme: { head: { script: 'x' } } },"],
  ['a rewrite to another host', next, "destination: '/docs/start'", "destination: 'https://evil.example'"],
  ['the bundler', next, 'return config', 'return { ...config }'],
  ['the environment of the build', next, 'reactStrictMode: true', 'reactStrictMode: true,\n  env: { X: "1" }'],
  ['an element', meta, "start: 'Start'", 'start: <Icon name="y" />'],
  ['an element with code', meta, 'name="x"', 'name={process.env.TOKEN}'],
  ['a script in a title', meta, "title: 'More'", "title: '<script>'"],
  ['a protocol that is none', meta, 'https://acme.example/contact', 'data:text/html,x'],
  ['an event among pages', meta, "start: 'Start',", "start: 'Start', onClick: 'x',"],
  ['settings among pages', 'next/content/_meta.js', "index: 'Introduction',", "index: 'Introduction', scripts: ['x'],"],
  ['a title with an element', layout, '<b>Acme</b>', '<b>Evil</b>'],
  ['a component of a link', layout, 'links: [', "links: [{ type: 'custom', children: <script /> }, "],
  ['a link that runs code', layout, "'/blog'", "'javascript:alert(1)'"],
  // How it is written.
  ['an option of the JSX compiler', meta, 'import type', '/** @jsxImportSource evil */\nimport type'],
  ['a source map', vitepress, '// The site.', '//# sourceMappingURL=https://evil.example/x.map'],
  ['a comment that turns off the linter', vitepress, '// The site.', '/* eslint-disable */'],
  ['a reference', vitepress, '// The site.', '/// <reference path="evil.d.ts" />'],
  ['a line separator in a comment', vitepress, '// The site.', '// The site.\u2028plugins: []'],
  ['a text that runs backwards', ...inEntry("{ text: 'a\u202eb', link: 'x' }")],
  ['a line that ends in a way of its own', vitepress, '// The site.', '// The site.\r// x'],
  ['what does not parse', ...inEntry('{ text: }')],
  ['what nests without an end', ...inEntry(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)],
  ['a chain without an end', ...inEntry(`a${'.b'.repeat(50_000)}`)],
  ['a comment that only scripts have', 'website/sidebarsCommunity.js', "'team'],", "'team'],\n<!-- x"],
  [
    'another export of a file that is one container',
    'next/content/_meta.js',
    'export default',
    'export const x = 1\nexport default',
  ],
  ['a first line for a program', vitepress, 'import {', '#!/usr/bin/env node\nimport {'],
])('promise 32: %s is refused', async (_, path, from, to) => {
  const refusal = await tryChange(sites, path, replace(path, from, to));
  expect(refusal).toMatch(/cannot be written like this|is protected/);
});

test.each(['docs/.vitepress/config.mts', 'next/content/_meta.js', 'website/sidebars.ts'] as const)(
  'promise 32: %s may neither go, nor move, nor come anew',
  async (path) => {
    const { [path]: text, ...others } = sites;
    expect(await tryChange(sites, path, null)).toContain('neither add nor remove');
    expect(await tryChange(others, path, text)).toMatch(/neither add nor remove|is protected/);
    expect(await tryChange(sites, path, { text, isExecutable: true })).toContain('is protected');
  },
);

test.each([
  ['code of a theme', 'docs/.vitepress/theme/index.ts'],
  ['code that no configuration imports', 'docs/.vitepress/build.ts'],
  ['code of another folder', 'src/sidebars.ts'],
  ['a configuration without navigation', 'next/source.config.ts'],
  ['a configuration in a folder that tools read', '.github/.vitepress/config.ts'],
])('promise 32: %s stays protected', async (_, path) => {
  const text = 'export const sidebar = [{ text: "a", link: "/a" }]\n';
  expect(await tryChange({ ...sites, [path]: text }, path, text.replace('/a', '/b'))).toContain('is protected');
});
