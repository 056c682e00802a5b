import type { Random } from '../../../harness/random.ts';
import type { Some } from './draw.ts';

/** A file that a parser of ours reads. `start`: what makes it one. */
export interface HeavyKind {
  path: string;
  base: string;
  start: string;
  units: Some<string>;
}

const blanks: Some<string> = [' ', '\t', '\n', '\r\n', ' \n', '\u2028'];
const near: Some<string> = ['a', '.', '-', '=', '/', ':', '*', 'a ', 'a.', '../', '%61', '&amp;', '\\', '"', "'", '`'];
const nested: Some<string> = ['[', '{', '(', '<', '[(', '({', '{"a":', '[{', '{{', '{%', '${', '<a>', '<A b={', '(('];
const yaml: Some<string> = [
  '- ',
  '? ',
  'a: ',
  '[a, ',
  '{a: ',
  '&a ',
  '!a ',
  '*a ',
  '%a\n',
  'a: |\n  ',
  '"\\',
  '- a: &b\n',
  '- *a\n',
];
const markdown: Some<string> = [
  '`',
  ...['*a ', '**a', '_a ', '[a](', '[a](<b', '![](', '[a][b', '[a]: b\n', '> ', '- ', '* - ', '1. ', '&#x', '|a', '# '],
  ...['<!-- ', '```\n~~~\n', '<http://a', '{#a', '{: #a', '](a "b', '<a b="', ':::a\n', '{{<a ', '[^a]: ', '--8<--\n'],
];
/** The parser of TypeScript and Flow tries some of them in several ways at each level. */
const code: Some<string> = [
  'a<T>(',
  ...[
    'a<b>(',
    '<T>(a=',
    '<A>(',
    'async<T>(x=',
    'async(a=',
    '(a=(',
    'a?(b):(c)=>',
    '(a:A<',
    'a<b<',
    'type A=(a:',
    '`${',
  ],
  ...['a?(', 'new A<(', '({a:', '[a,', '!', '/a', 'import a from "a"\n', '<A b={', '// a\n', '/* '],
];
const toml: Some<string> = ['[a]\n', '[[a]]\n', 'a = [', 'a = {b=', 'a.', '"""', "'''", 'a = "\\', '#'];
const rst: Some<string> = ['.. a::\n', '.. |a| b:: ', '`a <', '_a: ', '   ', '- ', '* .. ', ':a:`', '====\n', '|a'];
const asciidoc: Some<string> = [
  'link:',
  'include::',
  'image:a',
  '[[',
  '<<',
  '|===\n',
  '++++\n',
  ':a: ',
  'xref:a',
  '`+',
];

const html: Some<string> = [
  '<a ',
  ...['<b ', '<a b=', '<a b="', '<!--', '<!doctype ', '<script>', '<style>', '<pre>', '<h1>', '<p id=a>', '</'],
  ...['<![CDATA[', '&a', '&#x', '<table>', '<svg><', ...blanks],
];

const yamlLike: Some<string> = [' - ', ...yaml, ...nested, ...blanks, ...near];
const scripts: Some<string> = ['a<T>(', ...code, ...nested, ...blanks];
const pages: Some<string> = ['*a_', ...markdown, ...nested, ...blanks, ...near];

const kind = (path: string, base: string, units: Some<string>, start = base): HeavyKind => ({
  path,
  base,
  start,
  units,
});

export const heavyKinds: Some<HeavyKind> = [
  kind('docs/mkdocs.yml', 'site_name: Docs\nnav:\n  - index.md\n', yamlLike),
  kind('gitbook/.gitbook.yaml', 'root: ./\n', yamlLike),
  kind('gitbook/SUMMARY.md', '# Summary\n\n* [Start](start.md)\n', ['* [a](b.md)\n', '## a <a href="#a', ...pages]),
  kind(
    'mintlify/docs.json',
    '{"name":"Docs","navigation":{"pages":["index"]}}\n',
    ['{"a":', '[', '["a",', '"\\u00', ...blanks],
    '{"navigation":',
  ),
  kind('mintlify/.mintignore', 'drafts\n', ['*', '**/', '?', 'a*', '/', '[', ...blanks]),
  kind('vercel.json', '{"redirects":[]}\n', ['{"a":', '[', '/* a */', '// a\n', ...blanks], '{"redirects":['),
  kind('netlify.toml', '[[redirects]]\nfrom = "/a"\nto = "/b"\n', ['[a]\n', ...toml, ...blanks, ...near]),
  kind('public/_redirects', '/a /b 301\n', ['/a /b 301\n', '/:a', '/*', '(', '/(', ...blanks, ...near]),
  kind('hugo/hugo.toml', 'title = "Docs"\n', ['[a]\n', ...toml, ...blanks]),
  kind('docusaurus/docusaurus.config.ts', 'export default { title: "Docs" };\n', scripts, 'export default '),
  kind('docusaurus/sidebars.js', 'export default { docs: ["intro"] };\n', scripts, 'export default '),
  kind('vitepress/.vitepress/config.mts', 'export default { themeConfig: { nav: [] } };\n', scripts, 'export default '),
  kind('docusaurus/docs/intro.mdx', '# Intro\n', ['*a_', ...pages, ...code], ''),
  kind('docs/docs/index.md', '# Start\n', pages, ''),
  kind('docs/docs/matter.md', '---\ntitle: A\n---\n\n# A\n', yamlLike, '---\n'),
  kind('sphinx/index.rst', 'Docs\n====\n', ['`', ...rst, ...blanks, ...near], ''),
  kind('antora/modules/ROOT/pages/index.adoc', '= Docs\n', ['+', ...asciidoc, ...blanks, ...near], ''),
  kind('html/index.md', '<div>\n</div>\n', html, ''),
  kind('html/plain.html', '<!doctype html>\n<title>A</title>\n<p id="a">A</p>\n', html, ''),
];

/** Small enough for the parsers that were called harmless, and as large as a file may be. */
const sizes = [80, 160, 400, 900, 4_000, 20_000, 150_000] as const;

/** One or two pieces again and again, behind a start that the parser knows, never closed or closed at the end. */
export function drawHeavyText(random: Random, { start, units }: Pick<HeavyKind, 'start' | 'units'>): string {
  const draw = () => random.pick(units);
  const unit = random.pick([draw, () => draw() + draw(), () => draw().repeat(3) + draw()])();
  const size = random.pick(sizes);
  const body = unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
  return `${random.pick(['', start])}${body}${random.pick(['', '\n', 'x\n', ')', '"'])}`;
}

/** For comments, settings and instructions. */
export const heavyProse: Pick<HeavyKind, 'start' | 'units'> = { start: '', units: pages };
export const heavySettings: Pick<HeavyKind, 'start' | 'units'> = {
  start: 'paths:\n  - ',
  units: ['a\n  - ', ...yamlLike, '"docs/**"\n  - ', '{a,b}', '**/*'],
};
export const heavyGlobs: Some<string> = ['**/', '*', '{a,b}', '*a', '?', '[', '{', '**/a*', '*a*b'];
