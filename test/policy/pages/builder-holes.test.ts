import { expect, test } from 'vitest';
import type { Files } from '../../../harness/memory-files.ts';
import { tryChange } from '../try-change.ts';

/** What `npm run trials -- pages` found: each of these texts ran, or showed a file, in its real builder. */
const sites = {
  mkdocs: { 'mkdocs.yml': 'site_name: x' },
  grids: { 'mkdocs.yml': 'markdown_extensions: [md_in_html]' },
  superfences: { 'mkdocs.yml': 'markdown_extensions: [attr_list, pymdownx.superfences]' },
  macros: { 'mkdocs.yml': 'plugins: [macros]' },
  kramdown: { '_config.yml': 'kramdown: { input: kramdown }' },
  jekyll: { '_config.yml': 'title: x' },
  sphinx: { 'docs/conf.py': 'extensions = ["myst_parser", "sphinx.ext.graphviz"]' },
  eleventy: { 'eleventy.config.js': '' },
  vitepress: { '.vitepress/config.ts': '' },
  docusaurus: { 'docusaurus.config.js': '' },
  quarto: { '_quarto.yml': 'project: { type: website }' },
  math: { '.vitepress/config.ts': 'export default { markdown: { math: true } }' },
  formulas: { 'docusaurus.config.js': 'import math from "remark-math"' },
  none: {},
} satisfies Record<string, Files>;

const change = (site: keyof typeof sites, path: string, text: string) =>
  tryChange({ '.env': 'KEY=1', ...sites[site] }, path, text);

test.each<[string, keyof typeof sites, string, string]>([
  ['a tag over two lines of a quote', 'none', 'docs/a.md', '> <b\n> onclick="x()">x</b>\n'],
  ['a link over two lines of a quote', 'none', 'docs/a.md', '> [x](\n> javascript:x())\n'],
  ['a tag over two lines of a quote in a list', 'none', 'docs/a.md', '- > <b\n  > onclick="x()">x</b>\n'],
  ['a tag over two lines of a quote', 'docusaurus', 'docs/a.mdx', '> <a\n> href="javascript:x()">x</a>\n'],
  ['a tag over lines of a quote in a literal', 'macros', 'docs/a.md', `> {{ '<b\n> onclick="x()">x</b>' }}\n`],
  ['code in raw HTML', 'mkdocs', 'docs/a.md', '<div>\n\n`` <script>x()</script> ``\n\n</div>\n'],
  ['code in HTML for a plugin', 'mkdocs', 'docs/a.md', '<div markdown>\n\n`<script>`\n\n</div>\n'],
  ['formulas in HTML', 'jekyll', 'docs/a.md', '<div>\n\n$$\n<b\nonclick="x()">x</b>\n$$\n\n</div>\n'],
  ['v-pre in code of four blanks', 'vitepress', 'docs/a.md', '    <span v-pre>{{ y }}</span>\n'],
  ['an image that a build copies', 'sphinx', 'docs/a.md', '![x](../../canary.txt)\n'],
  ['a link that a build copies', 'sphinx', 'docs/a.md', '[x]: ../%2eenv\n\n[x]\n'],
  ['a link that a build copies', 'docusaurus', 'docs/a.md', '[x](../.env)\n'],
  ['a literal that is a list', 'eleventy', 'docs/a.md', '{% raw %}7) x\n\n    <img src=x onerror=x()>{% endraw %}\n'],
  [
    'a fence in a comment',
    'jekyll',
    'docs/a.md',
    '{% comment %}\n```\n{% endcomment %}\n<img src=x onerror=x()>\n\n{% comment %}\n```\n{% endcomment %}\n',
  ],
  [
    'a fence without its blank',
    'jekyll',
    'docs/a.md',
    'x\n\n{%- raw -%}\n```\n<img src=x onerror=x()>\n```\n{%- endraw -%}\n',
  ],
  ['a fence of four', 'none', 'docs/a.adoc', '````\n+++<script>x()</script>+++\n````\n'],
  ['a mark of code before a blank', 'jekyll', 'docs/a.md', '` <script>x()</script>`\n'],
  [
    'a formula over a blank line of a quote',
    'jekyll',
    'docs/a.md',
    'x\n> $$\n> [x][y]\n> \n> [y]: javascript:x()\n> $$\n',
  ],
  ['a parser of an include', 'sphinx', 'docs/a.rst', '.. include:: a.txt\n   :parser: myst_parser.sphinx_\n'],
  ['a role in a parsed literal', 'sphinx', 'docs/a.rst', '.. parsed-literal::\n\n   :download:`../.env`\n'],
  ['an include behind a directive', 'sphinx', 'docs/a.md', '```{note}\n```\n```{include} ../.env\n```\n'],
  ['code in HTML below a list', 'none', 'docs/a.md', '- x\n<div>\n- `<script>x()</script>`\n</div>\n'],
  ['a parsed literal with a copied file', 'sphinx', 'docs/a.md', '~~~{parsed-literal}\n[x](../../canary.txt)\n~~~\n'],
  ['HTML for kramdown that runs', 'jekyll', 'docs/a.md', 'x {::nomarkdown}<img src=x onerror=x()>{:/}\n'],
  [
    'a fence in a quote behind blanks',
    'superfences',
    'docs/a.md',
    '- x\n\n  > x\n  > ~~~\n  > [x](y){: onclick="x()"}\n  > ~~~\n',
  ],
  ['words behind a fence', 'jekyll', 'docs/a.md', '~~~js words\n<script>x()</script>\n~~~\n'],
  ['a block of backticks', 'kramdown', 'docs/a.md', '```\nx\n\n<script>x()</script>\n```\n'],
  ['an attribute list between formulas', 'jekyll', 'docs/a.md', '$$\nx\n{: onclick="x()"}\n$$\n'],
  ['a drawing of a file', 'sphinx', 'docs/a.rst', '.. graphviz:: ../.env\n'],
  ['an option in a cell', 'sphinx', 'docs/a.rst', '+---+\n| .. csv-table:: |\n|    :file: ../.env |\n+---+\n'],
  ['a bare address', 'sphinx', 'docs/a.rst', 'See javascript:x()/\n'],
  ['an anonymous target', 'sphinx', 'docs/a.rst', '__ javascript:x()\n\nx__\n'],
  ['a target over two lines', 'sphinx', 'docs/a.rst', '.. _x: java\n   script:x()\n\nx_\n'],
  ['a target with a backslash', 'sphinx', 'docs/a.rst', '`x <java\\script:x()>`_\n'],
  ['a directive of colons in a list', 'sphinx', 'docs/a.md', '- :::{include} ../.env\n  :::\n'],
  [
    'a directive in a list table',
    'sphinx',
    'docs/a.md',
    '~~~{list-table}\n* - ```{literalinclude} ../.env\n    ```\n~~~\n',
  ],
  ['a directive in a field', 'sphinx', 'docs/a.md', ':field: :::{include} ../.env\n:::\n'],
  ['a bound attribute of a list', 'vitepress', 'docs/a.md', '# x {:title="y"}\n'],
  ['v-pre around blocks', 'vitepress', 'docs/a.md', '<span v-pre>::: tip {{ y }}\nx\n:::\n</span>\n'],
  ['a block in a verse', 'none', 'docs/a.adoc', '[verse]\n____\n.x\n----\n<<x" onclick="x(),y>>\n----\n____\n'],
  ['a block in a cell', 'none', 'docs/a.adoc', '|===\n|x\n\n----\n<<x" onclick="x(),y>>\n----\n|===\n'],
  ['a quote in a reference', 'none', 'docs/a.adoc', 'See <<x" onclick="x(),y>>\n'],
  ['a quote in a role', 'none', 'docs/a.adoc', '`[.x"onclick="x()]#y#`\n'],
  ['a quote in an address', 'none', 'docs/a.adoc', 'image::x"onerror="x()[]\n'],
  ['code in HTML in a list', 'kramdown', 'docs/a.md', '- <div>\n  \n  `` <script>x()</script> ``\n  \n  </div>\n'],
  ['attributes below their brace', 'kramdown', 'docs/a.md', '- x\n\n  *x*{:\nonclick="x()"}\n'],
  ['a target below a definition', 'kramdown', 'docs/a.md', 'Term\n: [\nx][y]\n\n    [y]: javascript:x()\n'],
  ['an escaped quote in a literal', 'macros', 'docs/a.md', `{{ '<a href=\\"java&#9;script:x()\\">x</a>' }}\n`],
  ['an escaped tag in a literal', 'eleventy', 'docs/a.md', `{{ '\\x3cscript>x()</script>' }}\n`],
  ['attributes within a value', 'mkdocs', 'docs/a.md', '{1}\n<a title="![x](y){onclick="x()"}\n\n">x</a>\n'],
  [
    'a mark in a literal',
    'macros',
    'docs/a.md',
    '{{ "{% raw %}" }}\n```\n[x](javascript:x())\n```{{ "{% endraw %}" }}\n',
  ],
  ['a fence below marks of code', 'quarto', 'docs/a.qmd', '\\`````\n```{.r}\n\n![x](y){onclick="x()"}\n\n```\n'],
  ['a formula that ends in code', 'math', 'docs/a.md', '$a`$ <b onclick="x()">q</b> `$\n'],
  ['a formula that ends in a literal', 'formulas', 'docs/a.mdx', '${"{`${x()}`}"}$\n'],
  ['code of four blanks', 'eleventy', 'docs/a.md', 'x\n\n    <img src=x onerror=x()>\n'],
  ['a formula that ends in code', 'formulas', 'docs/a.mdx', '$a`$ {x()} `$\n'],
])('promise 19: %s is refused (%s, %s)', async (_what, site, path, text) => {
  expect(await change(site, path, `Text\n\n${text}`)).toBeDefined();
});

test.each<[string, keyof typeof sites, string, string]>([
  ['a tag that ends in a line of its own', 'none', 'docs/a.md', '<img\n  src="/a.png"\n>\nonly text\n'],
  ['code in a grid', 'grids', 'docs/a.md', '<div class="grid" markdown>\n\n- `<script>`\n\n</div>\n\n`<script>`\n'],
  ['code behind HTML', 'mkdocs', 'docs/a.md', '<div>\n<p>x</p>\n</div>\n\nUse `<script>`.\n'],
  ['links', 'sphinx', 'docs/a.md', '[x](../docs/b.md), [y](/c), `[z](../.env)`, ![w](img/a.png)\n'],
  ['a literal', 'jekyll', 'docs/a.md', '{% raw %}\n```html\n<img src=x onerror=x()>\n```\n{% endraw %}\n'],
  ['code in a list with a component', 'none', 'docs/a.md', '- `<script>`\n- <Badge /> x\n- `<script>`\n'],
  ['an include from the top', 'sphinx', 'docs/a.rst', '.. include:: /include/links.rst\n'],
  ['HTML for kramdown', 'jekyll', 'docs/a.md', 'Press {::nomarkdown}<img src="/a.png">{:/} now\n'],
  ['a bare address in code', 'sphinx', 'docs/a.rst', 'Write ``javascript:x()/``, JavaScript: the basics\n'],
  ['a quote with code', 'none', 'docs/a.md', '> `<b`\n> onclick="x()"\n'],
  ['a block of backticks', 'jekyll', 'docs/a.md', '```js\n<script>x()</script>\n```\n'],
  ['a target', 'sphinx', 'docs/a.rst', '.. _x: https://docs.example/a\n\n__ https://docs.example/b\n'],
  ['a drawing', 'sphinx', 'docs/a.rst', '.. graphviz::\n\n   digraph { a -> b }\n'],
  ['attributes in code', 'none', 'docs/a.adoc', '----\n<b title="x" onclick="x()">\n----\n'],
])('%s may be written (%s, %s)', async (_what, site, path, text) => {
  expect(await change(site, path, `Text\n\n${text}`)).toBeUndefined();
});
