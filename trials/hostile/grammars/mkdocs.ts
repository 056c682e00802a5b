import { load } from 'js-yaml';
import type { Random } from '../../../harness/random.ts';
import { chance, number, oneOf, type Some } from './draw.ts';

/** The mkdocs.yml of a site before the change. */
export const mkdocs = `site_name: Acme
site_description: The docs of Acme
theme:
  name: material
  features:
    - navigation.tabs
plugins:
  - search
  - redirects:
      redirect_maps:
        old.md: index.md
markdown_extensions:
  - admonition
  - pymdownx.snippets:
      check_paths: true
extra:
  social: []
nav:
  - Home: index.md
  - Guide: guide/start.md
`;

/** Keys of MkDocs that load code, read foreign files, show secrets or change where the site goes; and values for them. */
const settings: Some<readonly [string, string]> = [
  ['hooks', '[gen.py]'],
  ['INHERIT', '../other.yml'],
  ['docs_dir', '/etc'],
  ['site_dir', '/var/www'],
  ['site_url', 'https://hostile.example'],
  ['repo_url', 'https://hostile.example'],
  ['edit_uri', 'https://hostile.example'],
  ['copyright', '"<script src=//hostile.example></script>"'],
  ['extra_javascript', '[https://hostile.example/x.js]'],
  ['extra_css', '[https://hostile.example/x.css]'],
  ['extra_templates', '[x.html]'],
  ['watch', '[/etc]'],
  ['validation', '{links: {not_found: ignore}}'],
  ['remote_branch', 'main'],
  ['site_author', '!ENV SECRET'],
  ['dev_addr', '0.0.0.0:80'],
  ['theme', '{name: null, custom_dir: docs/x}'],
  ['plugins', '[search, macros]'],
  ['markdown_extensions', '[{pymdownx.snippets: {base_path: [/etc]}}]'],
  ['extra', '{analytics: {provider: custom}}'],
];
const nested: Some<readonly [RegExp, string]> = [
  [/^ {2}name: material\n/m, '  name: material\n  custom_dir: docs/x\n'],
  [/^ {2}- search\n/m, '  - search\n  - macros\n'],
  [/^ {2}- search\n/m, '  - search: {lang: !ENV SECRET}\n'],
  [/^ {2}- redirects:\n/m, '  - redirects: &r\n'],
  [/^ {6}check_paths: true\n/m, '      check_paths: true\n      base_path: [/etc]\n'],
  [
    /^ {2}- admonition\n/m,
    '  - admonition\n  - pymdownx.superfences: {custom_fences: [{name: x, class: x, format: !!python/name:os.system }]}\n',
  ],
  [/^ {2}social: \[\]\n/m, '  social: [{icon: x, link: "javascript:alert(1)"}]\n'],
  [/^site_name: Acme\n/m, 'site_name: !!python/object/apply:os.system [id]\n'],
  [/^site_description: .*\n/m, 'site_description: !ENV [SECRET, x]\n'],
  [/^ {8}old\.md: index\.md\n/m, '        old.md: !ENV SECRET\n'],
  [/^ {8}old\.md: index\.md\n/m, '        old.md: javascript:alert(1)\n'],
  [/^ {6}redirect_maps:\n/m, '      evil: true\n      redirect_maps:\n'],
];
const entries: Some<string> = [
  'X: !!python/object/apply:os.system [id]',
  'X: !ENV SECRET',
  '!!python/name:os.system x: a.md',
  'X: "javascript:alert(1)"',
  'X: "java\\tscript:alert(1)"',
  "X: ' JAVASCRIPT:alert(1)'",
  '"<script>alert(1)</script>": a.md',
  '<img src=x onerror=alert(1)>: a.md',
  'X: &a a.md',
  'X: *k',
  '<<: {X: a.md}',
  '&a X: a.md',
  'X: !!binary aGk=',
  'X: ! a.md',
  'X: !<tag:yaml.org,2002:python/name:os.system> x',
];

const hex = (text: string, form: (code: string) => string) =>
  [...text].map((letter) => form((letter.codePointAt(0) ?? 0).toString(16))).join('');

/** One pair in one of YAML's many spellings. */
const pairs: Some<(key: string, value: string) => string> = [
  (key, value) => `${key}: ${value}`,
  (key, value) => `"${key}": ${value}`,
  (key, value) => `'${key}' : ${value}`,
  (key, value) => `? ${key}\n: ${value}`,
  (key, value) => `? "${key}"\n:\n  ${value}`,
  (key, value) => `? >-\n  ${key}\n: ${value}`,
  (key, value) => `? |-\n  ${key}\n: ${value}`,
  (key, value) => `"${hex(key, (code) => `\\x${code.padStart(2, '0')}`)}": ${value}`,
  (key, value) => `"${hex(key, (code) => `\\U${code.padStart(8, '0')}`)}": ${value}`,
  (key, value) => `"${key.slice(0, 2)}\\\n  ${key.slice(2)}": ${value}`,
  (key, value) => `!!str ${key}: ${value}`,
  (key, value) => `!<tag:yaml.org,2002:str> ${key}: ${value}`,
  (key, value) => `&a ${key}: ${value}`,
  (key, value) => `<<: {${key}: ${value}}`,
  (key, value) => `"<<": [{${key}: ${value}}]`,
  (key, value) => `!!merge <<: {${key}: ${value}}`,
  (key, value) => `x: &m {${key}: ${value}}\n<<: *m`,
  (key, value) => `site_author: &k ${key}\n*k : ${value}`,
  (key, value) => `${key}:\t${value}`,
  (key, value) => `${key}: # a comment\n  ${value}`,
  (key, value) => `${key} : &v ${value}`,
];

/** Draws a mkdocs.yml that does more than move pages, in some spelling. */
export function drawMkdocs(random: Random): string {
  const line = () => {
    const [key, value] = random.pick(settings);
    return `${random.pick(pairs)(key, value)}\n`;
  };
  const lines = mkdocs.split(/(?<=\n)(?=\S)/);
  const text = oneOf(random, [
    () => lines.toSpliced(number(random, lines.length + 1), 0, line()).join(''),
    () => mkdocs.replace(...random.pick(nested)),
    () => `${mkdocs}  - ${random.pick(entries)}\n`,
    () => `${mkdocs}  - Deep:\n      - ${random.pick(entries)}\n`,
    () => `${mkdocs}  - X: a.md\n${random.pick(['...\n', '---\n', '--- # x\n', '\u0085', '\u2028'])}${line()}`,
    () => `${random.pick(['%YAML 1.1\n---\n', '%TAG ! tag:yaml.org,2002:python/\n---\n', '--- !x\n'])}${mkdocs}`,
    () =>
      mkdocs
        .replace('nav:\n', random.pick(['nav: !x\n', 'nav: &n\n', 'nav: !!python/tuple\n', '? nav\n: \n']))
        .concat(line()),
    () => JSON.stringify({ ...Object(load(mkdocs)), hooks: ['gen.py'] }),
    () => mkdocs.replace(/site_name.*\n/, (old) => `${old}${old.replace('Acme', '!ENV SECRET')}`),
    () => mkdocs.replace(/^(theme|plugins|extra):/m, (key) => `hooks: [gen.py]\n${key}`),
  ]);
  if (chance(random, 0.1)) return text.replaceAll('\n', random.pick(['\r', '\r\n', '\n\ufeff', '\n\n']));
  return chance(random, 0.05) ? `\ufeff${text}` : text;
}

/** Draws a mkdocs.yml of which only navigation and redirects differ. */
export const drawHarmlessMkdocs = (random: Random): string =>
  oneOf(random, [
    () => `${mkdocs}  - Page ${number(random, 1e6)}: guide/page.md\n`,
    () => `${mkdocs}  - Section:\n      - One: one-${number(random, 1e6)}.md\n      - two.md\n`,
    () =>
      mkdocs.replace('old.md: index.md', `old.md: index.md\n        older-${number(random, 1e6)}.md: guide/start.md`),
    () => mkdocs.replace('Guide: ', `"Guide, ${number(random, 1e6)}": `),
  ]);
