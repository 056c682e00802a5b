import { expect, test } from 'vitest';
import type { Files } from '../../../harness/memory-files.ts';
import { tryChange } from '../try-change.ts';

/** Written against the sources of the builders: each of the refused texts ran, or showed a file, in one of them. */
const sites = {
  sphinx: { 'docs/conf.py': 'extensions = ["myst_parser"]' },
  roles: { 'docs/conf.py': '', 'docs/b.rst': '.. role:: html(raw)\n   :format: html\n\n:html:`<br>`\n' },
  none: {},
  grids: { 'mkdocs.yml': 'markdown_extensions: [md_in_html, pymdownx.superfences]' },
  kramdown: { '_config.yml': 'title: x' },
  mdbook: { 'book.toml': '[book]', 'src/SUMMARY.md': '# Summary\n', 'src/b.rs': 'x' },
  macros: { 'mkdocs.yml': 'plugins: [macros]' },
  marks: { 'mkdocs.yml': "plugins:\n  - macros:\n      j2_variable_start_string: '[['", 'docs/b.md': 'x [[ b ]]\n' },
  tables: { 'mkdocs.yml': 'plugins: [table-reader]' },
  starlight: { 'astro.config.mjs': "import starlight from '@astrojs/starlight'" },
  hugo: { 'hugo.toml': '', 'layouts/_default/secret.html': 'x' },
  eleventy: { 'eleventy.config.js': '' },
  vitepress: { '.vitepress/config.ts': 'export default {}' },
  docusaurus: { 'docusaurus.config.js': 'import math from "remark-math"' },
  fern: { 'fern/fern.config.json': '{}', 'fern/docs.yml': 'navigation: []', 'docs/b.mdx': '<Code src="a.ts" />\n' },
} satisfies Record<string, Files>;

type Site = keyof typeof sites;

const change = (site: Site, path: string, text: string) => tryChange({ '.env': 'KEY=1', ...sites[site] }, path, text);

const list = (site: Site, path: string, texts: readonly string[]) =>
  texts.map((text): [string, Site, string] => [text, site, path]);

const options = (site: Site, written: readonly string[]) =>
  list(
    site,
    'docs/a.md',
    written.map((option) => `\`\`\`{csv-table}\n${option}\n\`\`\`\n`),
  );
const live = '<b onclick="x()">y</b>';
const passed = '+++<script>x()</script>+++';
const head = '---\nhead:\n  - tag: script\n    content: x()\n---';
const hidden = '---\nlayout: secret\n---\n';

test.each<[string, Site, string]>([
  ...options('sphinx', [
    '----\nfile: ../.env\n---',
    '--- x\nfile: ../.env\n---',
    ': file: ../.env',
    ':"file": ../.env',
    ':{file: ../.env}',
    ':file : ../.env',
    ':"fi\\x6ce": ../.env',
    ':? file\n:: ../.env',
  ]),
  ...list('sphinx', 'docs/a.md', [
    '```{csv-table}\u2028---\nfile: ../.env\n---\n```\n',
    '```{image} x.png\n:target: "javascript:x()"\n```\n',
    '```{figure} x.png\n:target: java\\\n: script:x()\n```\n',
  ]),
  ...list('grids', 'docs/a.md', [
    `https://x.example/\` - 7) x\n  \n     ${live} \`\n`,
    `key: x\n  \n     ${live}\n`,
    `key: x\n    y \`\n${live} \`\n`,
    `key: <!--\n\n${live}\n\n-->\n`,
  ]),
  ...list('starlight', 'src/content/docs/a.md', [
    `\n${head}\n`,
    ` \n\n\uFEFF${head}\n`,
    `${head}x\n`,
    `${head}x\ntitle: y\n---\n`,
    '---\n{head: [{tag: script, content: x()}]}\n---x\n---\n',
  ]),
  ...list('sphinx', 'docs/a.rst', [
    '.. csv-table:: :file: ../.env\n',
    ...['*file*', '\\file', '``file``', '`file`', 'fi\\ le'].map((name) => `.. csv-table::\n   :${name}: ../.env\n`),
    '.. image:: x.png\n   :target: javascript: x()\n',
    '.. code-block:: x\n   :caption: a\n     :download:`../.env`\n\n   y\n',
    '.. role:: x (download)\n\n:x:`../.env`\n',
    '.. math::\n\n   \\href{javascript:x()}{y}\n',
  ]),
  ...list('sphinx', 'docs/a.md', [
    '# {sub}`:field: - x\n\n  {download}`y <../.env>`\n`z`\n',
    '[^1]: ~~~{csv-table}\n    `a, <iframe srcdoc="x"></iframe>, b`\n    ~~~\n\nx[^1]\n',
  ]),
  ...list('sphinx', 'docs/a.rst', ['data:text/h\\tml,x\n', ':sub:`x`:y:`z` :download:`../.env`\n']),
  ...list('grids', 'docs/a.md', [`x\n\n  \`\`\`\u2003\n  ${live}\n  \`\`\`\n`]),
  ...list('kramdown', 'docs/a.md', [
    `[^1]: <div>\n    \n    \`${live}\`\n    \n    </div>\n\nx[^1]\n`,
    '| a | b |\n| - | - |\n| `` [x](javascript:y()) `` | z |\n',
  ]),
  ...list('docusaurus', 'docs/a.mdx', [
    '- $$\n y\n  $$\n\n  $$\n  {/* */ z()}\n  $$\n',
    '$a 1. x\n**$a {/* */ y()}$**\n    z$\n',
    '[^1]: ~~~js words\n    x\n    ~~~\n    <b>{y()}</b>\n    ~~~\n    ~~~\n\nz[^1]\n',
    '$$\n~~~ a`b\n- x\n  $$\n`{`${y()}`}\n  $$\n~~~\n$$\n',
  ]),
  ...list('vitepress', 'docs/a.md', [
    '*x*{: title="`"} y\n<span v-pre>{{ z }}</span> *w*{: title="`"}\n',
    '[[x]][y](z "`") [y](z){: onclick="x()"} [w](v "`")\n',
  ]),
  ...list('eleventy', 'docs/a.md', [`x\n    - y\n\n      ~~~\n      ${live}\n      ~~~\n`]),
  ...list('roles', 'docs/a.rst', ['.. role:: html(raw)\n   :format: html\n\n:html:`<script>x()</script>`\n']),
  ...list('none', 'docs/a.adoc', [
    'link:{counter:z:javascript}:x()[y]\n',
    'link:javascript{two-colons}x()[y]\n',
    '[link="java&#115;cript:x()"]\nimage::y[]\n',
    '[source,a" x-init="x()]\n----\ny\n----\n',
    '[a" x-init="x()]\n* y\n',
    'See onclick= [.x"onclick="x()]#y#\n',
    ':y: `+link:javascript:x()[z]+`\n\n{y}\n',
    '`+`+link:javascript:x()[z]+`+`\n',
    '"`footnote:[`+link:javascript:x()[y]+`]`"\n',
    '`+--\nx\n--\n\n:y: `+link:javascript:x()[z]+`\n\n{y}+`\n',
    '|===\n|`+a|link:javascript:x()[y]+`\n|===\n',
    `:toc:\n\n* x\n====\n----\n[stem]\n++++\n<script>x()</script>\n++++\n----\n====\n`,
    `[cols="1a"]\n|===\n|====\n.Title\n----\n====\n${passed}\n====\n----\n====\n|===\n`,
    `[literal]\nx:: ****\n.Title\n----\n****\n--\nx\n--\n\n${passed}\n****\n----\n****\n`,
    ...['[literal]\n', '[literal]\n\n', '[listing]\n\n.T\n\n'].map(
      (above) => `${above}x\n[source]\n----\n\n${passed}\n\n----\n`,
    ),
  ]),
  ...list('grids', 'docs/a.md', [
    `<div markdown="0">\n\n\`${live}\`\n\n</div>\n`,
    `<div>\n<div markdown="1">\n\n\`${live}\`\n\n</div>\n</div>\n`,
  ]),
  ...list('grids', 'docs/a.md', [
    '/// html | script\nx()\n///\n',
    '/// html | div[onclick="x()"]\nx\n///\n',
    '/// note | x\n    attrs: { onclick: x() }\n\ny\n///\n',
    '<!--codeinclude-->\n[x](../.env)\n<!--/codeinclude-->\n',
    '[OAD(../.env)]\n',
    '!!swagger ../.env!!\n',
  ]),
  ...list('mdbook', 'src/a.md', [
    '{{ #include ../.env }}\n',
    '{{ x {{#include ../.env}}\n',
    '\\{{ #include ../.env}}\n',
  ]),
  ...list('macros', 'docs/a.md', [
    'a: {% raw %}\nb: x\n\n{{ config }}\n\n{% endraw %}\n',
    '---\na: "{% raw %}"\n---\n{{ config }}\n{% endraw %}\n',
  ]),
  ...list('marks', 'docs/a.md', ['x [[ config ]]\n']),
  ...list('tables', 'docs/a.md', ['{{ read_raw("../.env") }}\n']),
  ...list('hugo', 'docs/a.md', [
    '{\n "lay\\u006fut":"secret"}\nx\n',
    '{ "a": {\n}\n, "layout": "secret"\n}\nx\n',
    ' {"layout":"secret"}\n',
    `\n${hidden}`,
    `<!-- \n${hidden}-->\n`,
    '<!--\n+++\nlayout="secret"\n+++\n-->\nx\n',
    '\n  #+layout: secret\n',
    '---\nlayout: secret\n---x\n',
  ]),
  ...list('eleventy', 'docs/a.md', [
    `(1) x\n\n    ~~~\n    ${live}\n    ~~~\n`,
    `{%- raw -%}\nx\n{%- endraw -%}\n\n{%raw%}x{%endraw%}\n\`\`\`\n${live}\n\`\`\`\n`,
  ]),
  ...list('vitepress', 'docs/a.md', [
    ...['?raw', '?url', '?x&raw'].map((query) => `![x](../.env${query})\n`),
    '![x](../b.json?raw)\n',
    '<img srcset="../.env?raw 2x">\n',
    '<span title="<span v-pre>">{{ x }}</span>\n',
    '<span title=" v-pre ">{{ x }}</span>\n',
    '*<span v-pre>*{{ x }}</span>\n',
    '[<span v-pre>](y){{ x }}</span>\n',
    `<a :href="'javascript:x()'">y</a>\n`,
    `<a v-bind="{ href: 'javascript:x()' }">y</a>\n`,
    `<b :inner-html.camel="'<img src=x onerror=x()>'">y</b>\n`,
    '<b v-custom>y</b>\n',
    '[x](data:image/svg+xml,<svg)\n',
  ]),
  ...list('docusaurus', 'docs/a.mdx', [
    '{/* x */}\n-\tx\n\n\t- x\n\t  $$\n\tx\n\t  $$\n\t<details>\n\t{"x"}\n\t$$\n\t{/* */ x()}\n\t$$\n\t</details>\n',
  ]),
  ...list('docusaurus', 'docs/a.mdx', ['$`${x()}$`$\n', '![x](./y.js?a!../.env)\n', '$\\href{javascript:x()}{y}$\n']),
  ...list('fern', 'docs/a.mdx', ['<Code src="../../.env" />\n']),
])('promise 19: `%s` is refused (%s, %s)', async (text, site, path) => {
  expect(await change(site, path, text)).toBeDefined();
});

test.each<[string, Site, string]>([
  ...options('sphinx', [':header: "a", "b"\n:widths: 1 2\n\nc, d', '---\nheader-rows: 1\n---\nc, d']),
  ...list('sphinx', 'docs/a.md', ['````{tab-set}\n:::{tab-item} A\nx\n:::\n````\n']),
  ...list('sphinx', 'docs/a.rst', ['.. code-block:: x\n   :caption: a.py\n\n   :download:`x`\n', ':ref:`a <b>`\n']),
  ...list('none', 'docs/a.adoc', [
    'Run xref::a.adoc[it]:\n[source,html]\n----\n<b onclick="x()">\n----\n',
    '[NOTE]\n====\n[source,html]\n----\n<b onclick="x()">\n----\n====\n\n[quote, "A B", C]\nx\n',
  ]),
  ...list('grids', 'docs/a.md', ['/// html | div.grid\n/// note | A title\nx\n///\n///\n']),
  ...list('mdbook', 'src/a.md', ['{{ #include b.rs:a }} \\{{#include c.rs}} {{#title x}} {{ y }}\n']),
  ...list('eleventy', 'docs/a.md', [`1. x\n\n    ~~~\n    ${live}\n    ~~~\n`]),
  ...list('vitepress', 'docs/a.md', [
    '![x](/a.png?v=2), [y](/b?raw=1#c)\n',
    `<span v-pre>{{ a_b * list[0] }}</span>, <a :href="'/x'">y</a>\n`,
  ]),
  ...list('marks', 'docs/a.md', ['x [[ b ]]\n']),
  ...list('none', 'docs/a.md', [
    `Use \`\`\`\` \`\`\`http \`\`\`\` and <code>\`\`\`</code>.\n\n\`\`\`\n${live}\n\`\`\`\n`,
  ]),
  ...list('docusaurus', 'docs/a.mdx', ['$\\href{https://docs.example}{y}$\n']),
])('`%s` may be written (%s, %s)', async (text, site, path) => {
  expect(await change(site, path, text)).toBeUndefined();
});
