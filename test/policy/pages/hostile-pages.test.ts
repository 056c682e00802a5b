import { expect, test } from 'vitest';
import type { Files } from '../../../harness/memory-files.ts';
import { tryChange } from '../try-change.ts';

/** Repositories of one site or several; every one has files that no page may show. */
const sites = {
  docusaurus: { 'docusaurus.config.js': 'export default {}', 'docs/summary.md': '# Summary' },
  docusaurusWithBook: { 'docusaurus.config.js': '', 'docs/guide/docs.json': '{}', 'docs/SUMMARY.md': '# S' },
  mdbook: { 'book.toml': '[book]', 'src/SUMMARY.md': '# Summary\n', 'src/a.md': '# A' },
  vitepress: { '.vitepress/config.ts': '', 'guide/SUMMARY.md': '# S' },
  mkdocs: { 'mkdocs.yml': 'site_name: x', 'docs/index.md': '# X' },
  superfences: { 'mkdocs.yml': 'markdown_extensions: [pymdownx.superfences]' },
  macros: { 'mkdocs.yml': 'plugins: [macros]' },
  inheritedMacros: { 'mkdocs.en.yml': 'INHERIT: base.yml', 'base.yml': 'plugins: [macros]' },
  jekyll: { '_config.yml': '' },
  eleventy: { 'eleventy.config.js': '' },
  hugo: { 'hugo.toml': '' },
  sphinx: { 'docs/conf.py': 'extensions = ["myst_parser"]\nmyst_enable_extensions = ["substitution"]' },
  none: {},
} satisfies Record<string, Files>;

const secret = {
  '.env': 'KEY=1',
  'docs/id_rsa': 'x',
  'src/main.rs': 'fn main() {}',
  'docs/ok.md': '# Ok',
  'docs/data.csv': 'a,b',
};

const change = (site: keyof typeof sites, path: string, text: string) =>
  tryChange({ ...secret, ...sites[site] }, path, text);

const fence = (code: string, info = '') => `\`\`\`${info}\n${code}\n\`\`\`\n`;
const live = '<img src=x onerror=alert(1)>';

test.each<[string, keyof typeof sites, string, string]>([
  // Markers
  ['MDX below a table of contents', 'docusaurus', 'docs/a.mdx', '{process.env.KEY}'],
  ['MDX below the marker of another framework', 'docusaurusWithBook', 'docs/guide/a.md', '{process.env.KEY}'],
  ['an include of mdBook', 'mdbook', 'src/b.md', '{{#include ../../../etc/passwd}}'],
  ['an interpolation below a table of contents', 'vitepress', 'guide/a.md', '{{ constructor.constructor("x")() }}'],
  ['a template of an inherited plugin', 'inheritedMacros', 'docs/a.md', '{{ config.x }}'],
  // MyST
  ['a substitution', 'sphinx', 'docs/a.md', 'Now {{ env.config }}'],
  ['a directive in a directive', 'sphinx', 'docs/a.md', '````{note}\n```{literalinclude} /etc/passwd\n```\n````\n'],
  ['a directive between colons in a quote', 'sphinx', 'docs/a.md', '> :::{include} /etc/passwd\n> :::\n'],
  ['options in a block of YAML', 'sphinx', 'docs/a.md', '```{csv-table}\n---\nfile: /etc/passwd\n---\n```\n'],
  ['a download', 'sphinx', 'docs/a.md', '{download}`x </etc/passwd>`'],
  ['an image of the machine', 'sphinx', 'docs/a.md', '```{image} /proc/self/environ\n```\n'],
  ['substitutions of a page', 'sphinx', 'docs/a.md', '---\nmyst:\n  substitutions:\n    a: "{{ env }}"\n---\n'],
  ['cells that run', 'sphinx', 'docs/a.md', '---\nfile_format: mystnb\nkernelspec: {name: python3}\n---\n'],
  // reStructuredText
  ...[
    '- .. include:: /etc/passwd',
    '* * .. include:: /etc/passwd',
    ':field: .. include:: /etc/passwd',
    '.. [1] .. include:: /etc/passwd',
    '| .. include:: /etc/passwd |',
    '.. INCLUDE:: /etc/passwd',
    '.. include ::  /etc/passwd',
    '.. |x| include:: /etc/passwd',
    '1. .. raw:: html\n\n      <b>',
    '.. csv-table::\n   :FILE: /etc/passwd',
    ':download:`x </etc/passwd>`',
    '`/etc/passwd`:download:',
    '.. image:: /proc/self/environ',
    '.. figure:: ../../../etc/passwd',
    '.. |x| image:: /etc/passwd',
    '::\n\n.. code-block:: c\n.. x\n\n   .. include:: /etc/passwd',
    '=== ===\n.. code-block:: c\n\n   .. include:: /etc/passwd\n=== ===',
    '.. note::\n\n   .. include:: /etc/passwd',
    '.. container::\n\n   - .. raw:: html\n\n        <b>',
  ].map((text): [string, 'sphinx', string, string] => [`\`${text}\``, 'sphinx', 'docs/a.rst', `Text\n\n${text}\n`]),
  // Python-Markdown
  ['a fence with words behind its language', 'mkdocs', 'docs/a.md', fence(live, 'js some words')],
  ['a fence with words behind its language', 'superfences', 'docs/a.md', fence(live, 'js some words')],
  ['a fence in a list', 'mkdocs', 'docs/a.md', `- x\n\n  \`\`\`\n  ${live}\n  \`\`\`\n`],
  ['a fence that stays open', 'mkdocs', 'docs/a.md', `\`\`\`\n${live}\n`],
  ['a fence that another length closes', 'mkdocs', 'docs/a.md', `\`\`\`\nx\n\`\`\`\`\n\n${live}\n\n\`\`\`\n`],
  ['a fence after an open one', 'none', 'a.md', `  \`\`\`js\nx\n    \`\`\`\n${live}\n\`\`\`\nx\n\`\`\`\n`],
  ['comments of Jinja around raw', 'macros', 'docs/a.md', '{# {% raw %} #}{{ config }}{# {% endraw %} #}'],
  ['raw in a text of Jinja', 'macros', 'docs/a.md', '{{ "{% raw %}" }}{{ config }}{{ "{% endraw %}" }}'],
  ['a plugin that includes', 'mkdocs', 'docs/a.md', '{! /etc/passwd !}'],
  ['an address of an attribute list', 'mkdocs', 'docs/a.md', '# T {: onclick="location=\'http://x/{}\'" }'],
  ['an attribute list in a cell', 'jekyll', 'a.md', '| [a](b){:onclick="fetch(\'https://x/}\')"} |\n| - |\n'],
  // kramdown
  ['code in raw HTML', 'jekyll', 'a.md', `<div>\n\n${fence('<script>x</script>')}\n</div>\n`],
  ['an extension of kramdown', 'jekyll', 'a.md', '{::nomarkdown}\n<b>\n{:/}'],
  ['raw that a string opens', 'jekyll', 'a.md', "{% assign x = '{% raw %}' %}{{ site.x }}{% endraw %}"],
  // Places that pages write
  ...[
    'permalink: ../eleventy.config.js',
    'permalink: /eleventy.config.js',
    'permalink: "{{ x }}"',
    'permalink:\n  build: ../x.js',
    'aliases: [../../x]',
    'redirect_to: "javascript:alert(1)"',
    'redirect_to: //evil.example',
    'url: /a/../../x',
    'slug: ../x',
    'outputs: [json]',
    'eleventyComputed:\n  x: "{{ y }}"',
    'templateEngineOverride: njk',
    'pagination: {data: x}',
  ].map((line): [string, 'eleventy', string, string] => [line, 'eleventy', 'a.md', `---\n${line}\n---\nText\n`]),
  ['an output of TOML', 'hugo', 'a.md', '+++\nurl = "../x.js"\n+++\n'],
  // Vue
  ['an interpolation in parts', 'vitepress', 'a.md', 'x {*{ y }*}'],
  ['an interpolation with an escape', 'vitepress', 'a.md', 'x {\\{ y }}'],
  ['an interpolation by entities', 'vitepress', 'a.md', 'x &#123;&#123; y }}'],
  ['an interpolation around marks', 'vitepress', 'a.md', 'x {{ a **b** }}'],
  ['v-pre on a void tag', 'vitepress', 'a.md', '<br v-pre>{{ y }}</br>'],
  ['v-pre as text', 'vitepress', 'a.md', '\\<span v-pre>{{ y }}</span>'],
  ['v-pre in code', 'vitepress', 'a.md', '`<span v-pre>`{{ y }}`</span>`'],
  ['v-pre within code', 'vitepress', 'a.md', '`` <span v-pre>{{ y }}</span> ``'],
  ['a fence that Vue reads', 'vitepress', 'a.md', fence('{{ y }}', 'html-vue {1}')],
  ['a snippet in a list', 'vitepress', 'guide/a.md', '- <<< @/.env'],
  ['a snippet in a quote', 'vitepress', 'guide/a.md', '> - <<< ../.env'],
  ['a snippet of a key', 'vitepress', 'docs/a.md', '<<< ./id_rsa'],
  ['attributes of a container', 'vitepress', 'a.md', '::: tip {onclick="alert(1)"}\nx\n:::'],
  ['an include in code', 'vitepress', 'a.md', fence('<!-- @include: /etc/passwd -->')],
  // MDX
  ['a page that its front matter makes Markdown', 'docusaurus', 'docs/a.mdx', `---\nmdx: {format: md}\n---\n${live}`],
  ['code that Docusaurus unwraps', 'docusaurus', 'docs/a.md', fence('{process.env.KEY}', 'mdx-code-block')],
  [
    'code in a text of a module',
    'docusaurus',
    'docs/a.mdx',
    'export const x = `\n```js\n`; process.env.KEY; `\n```\n`\n',
  ],
  ['code in an expression', 'docusaurus', 'docs/a.mdx', '{`\n```\n` + process.env.KEY + `\n```\n`}\n'],
  ['code in an attribute', 'docusaurus', 'docs/a.mdx', '<a title="\n```\n" b={process.env.KEY} c="\n```\n">x</a>\n'],
  ['an expression between marks of code', 'docusaurus', 'docs/a.mdx', '\\`{process.env.KEY}\\`'],
  ['an expression between cells', 'docusaurus', 'docs/a.mdx', '| `a | {process.env.KEY} | b` |\n| - | - | - |\n'],
  ['an expression between formulas', 'docusaurus', 'docs/a.mdx', 'costs $5 {process.env.KEY} or $6'],
  ['a raw import', 'docusaurus', 'docs/a.mdx', "import x from '!!raw-loader!../.env'\n"],
  // AsciiDoc
  ...[
    'a|include::/etc/passwd[]',
    '|include::/etc/passwd[]',
    'ifdef::x[include::/etc/passwd[]]',
    'include::{x}[]',
    'include::../../../etc/passwd[]',
    '....\ninclude::/etc/passwd[]\n....',
    ':docinfo: shared',
    ':allow-uri-read:',
    'image::/etc/passwd[opts=inline]',
    '{set:x:y}',
    'Text +++<b>+++',
    '`+pass:[<b>]+`',
    '[subs=macros]\n----\npass:[<b>]\n----',
    '[plantuml]\n----\n!include /etc/passwd\n----',
  ].map((text): [string, 'none', string, string] => [`\`${text}\``, 'none', 'docs/a.adoc', `Text\n\n${text}\n`]),
  // HTML
  ...[
    '<iframe src="/\\evil.example/x"></iframe>',
    '<iframe src="/\t/evil.example/x"></iframe>',
    '<iframe src="\\\\evil.example"></iframe>',
    '<iframe src=" //evil.example"></iframe>',
    '<div hx-on:click="x()">y</div>',
    '<div hx-get="/x">y</div>',
    '<div x-init="alert(1)">y</div>',
    '<div x-data="{a: b()}" @click="c">y</div>',
    '<div ng-init="x()">y</div>',
    '<div data-hx-on="x">y</div>',
    '<div _="on click x()">y</div>',
    '<svg><set attributeName="onmouseover" to="alert(1)"/></svg>',
    '<svg><use href="data:image/svg+xml,<svg id=x/>"/></svg>',
    '<math><maction actiontype="statusline" xlink:href="javascript:alert(1)">x</maction></math>',
    '<math><annotation-xml encoding="text/html"><script>x</script></annotation-xml></math>',
    '<a href="&#106avascript:alert(1)">x</a>',
    '<a href="java&Tab;script:alert(1)">x</a>',
    '[x](java\\script:alert(1))',
    '<p title="`"><img src=x onerror=alert(1) title="`">',
    `<details>\n\`\`\`\n${live}\n\`\`\`\n</details>`,
    `<!--\n\`\`\`\n-->\n${live}\n<!--\n\`\`\`\n-->`,
    `<pre>\n\n\`\`\`\n${live}\n\`\`\`\n</pre>`,
    `para\n5. x\n       \`\`\`\n       ${live}\n       \`\`\``,
    `[^1]: x\n\n    ${live}`,
    `\`a\n\n${live}\n\nb\``,
    `- a\n\n\t\`\`\`\n\t${live}\n`,
    `\`\`\`\nx\n\u2028\`\`\`\n${live}\n\`\`\`\nx\n\`\`\``,
  ].map((text): [string, 'none', string, string] => [text, 'none', 'a.md', `Text\n\n${text}\n`]),
])('promise 19: %s is refused (%s)', async (_what, site, path, text) => {
  expect(await change(site, path, text)).toBeDefined();
});

test.each<[string, keyof typeof sites, string, string]>([
  ['code', 'none', 'a.md', `Text \`{{ x }}\` and \`<script>\`\n\n${fence(live, 'html')}\nText\n`],
  ['code in a list', 'none', 'a.md', `1. x\n\n   \`\`\`html\n   ${live}\n   \`\`\`\n\n2. y\n`],
  ['code in a quote', 'none', 'a.md', `> \`\`\`html\n> ${live}\n> \`\`\`\n`],
  ['code that shows code', 'none', 'a.md', `\`\`\`\`md\n${fence(live)}\`\`\`\`\n`],
  ['code with options', 'superfences', 'docs/a.md', fence(live, 'html title="a b" linenums="1"')],
  ['code in a list of superfences', 'superfences', 'docs/a.md', `- x\n\n    \`\`\`html\n    ${live}\n    \`\`\`\n`],
  ['code in an admonition', 'superfences', 'docs/a.md', `!!! note\n\n    \`\`\`html\n    ${live}\n    \`\`\`\n`],
  ['code in details', 'none', 'a.md', `<details>\n<summary>x</summary>\n\n${fence(live)}\n</details>\n`],
  ['code in a step', 'docusaurus', 'docs/a.mdx', `<div>\n  \`\`\`jsx\n  <A b={c} />\n  \`\`\`\n</div>\n`],
  [
    'a literal that shows Vue',
    'vitepress',
    'a.md',
    'Use <code v-pre>{{ msg }}</code> here.\n\n::: v-pre\n{{ x }}\n:::\n',
  ],
  ['a literal that shows Liquid', 'jekyll', 'a.md', `{% raw %}\n${fence('{{ page.title }}')}{% endraw %}\n`],
  ['a literal that shows Jinja', 'macros', 'docs/a.md', '{% raw %}{{ x }}{% endraw %}'],
  ['JSX', 'docusaurus', 'docs/a.mdx', fence('<A b={c}>{d}</A>', 'jsx title="a.jsx"')],
  ['an address', 'eleventy', 'a.md', '---\npermalink: /guide/start/\naliases: [/old/, /old.html]\n---\n'],
  ['an image', 'sphinx', 'docs/a.rst', '.. image:: images/a.png\n\n.. include:: ok.md\n'],
  ['a download', 'sphinx', 'docs/a.rst', ':download:`x <data.csv>` and :doc:`a`\n'],
  ['directives as code', 'sphinx', 'docs/a.rst', 'Write this::\n\n   .. include:: x\n\nText\n'],
  ['words between plus signs', 'none', 'a.adoc', 'C++ and C++, `++<b>++`, $$<b>$$\n'],
  ['words', 'none', 'a.md', 'If x <y and a > b, set `once`. Learn JavaScript: the basics.\n'],
  ['an included file', 'mdbook', 'src/b.md', '{{#include main.rs}}\n{{#include main.rs:3:5}}\n'],
])('%s may be written (%s)', async (_what, site, path, text) => {
  expect(await change(site, path, text)).toBeUndefined();
});

test.each(['docusaurus', 'mkdocs', 'jekyll', 'sphinx'] as const)('formulas of %s are text', async (site) => {
  const files = {
    docusaurus: { 'docusaurus.config.js': 'import math from "remark-math"' },
    mkdocs: { 'mkdocs.yml': 'markdown_extensions: [pymdownx.arithmatex]' },
    jekyll: { '_config.yml': '' },
    sphinx: { 'conf.py': 'myst_enable_extensions = ["dollarmath"]' },
  }[site];
  const text =
    'Let $$\\frac{a}{b} = x_{i}$$ be.\n\n$$\n\\begin{aligned}\n\\sum_{i=1}^{n} f(x_{i}) {<} \\mathbb{R}\n\\end{aligned}\n$$\n';
  expect(await tryChange(files, 'docs/a.md', text)).toBeUndefined();
  if (site === 'jekyll') return;
  expect(
    await tryChange(files, 'docs/b.mdx', 'Let $\\frac{a}{b}$ and $x_{i}$ be.\n\n$$\nf(x_{i}) {a} \\\\ {b}\n$$\n'),
  ).toBeUndefined();
});
