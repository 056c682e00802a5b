import { expect, test } from 'vitest';
import type { Files } from '../../../harness/memory-files.ts';
import { tryChange } from '../try-change.ts';

/** Where readers of one text differ: each of these ran, or showed a file, in a real builder. */
const sites = {
  mkdocs: { 'mkdocs.yml': 'site_name: x' },
  superfences: { 'mkdocs.yml': 'markdown_extensions: [attr_list, pymdownx.superfences]' },
  jekyll: { '_config.yml': 'title: x', '_layouts/secret.html': 'x' },
  kramdown: { '_config.yml': 'kramdown: { input: kramdown }' },
  hugo: { 'hugo.toml': '', 'layouts/_default/secret.html': 'x' },
  vitepress: { '.vitepress/config.ts': '' },
  docusaurus: { 'docusaurus.config.js': 'import math from "remark-math"' },
  sphinx: { 'docs/conf.py': 'extensions = ["myst_parser"]' },
  quarto: { '_quarto.yml': 'project: { type: website }' },
  none: {},
} satisfies Record<string, Files>;

type Site = keyof typeof sites;

const change = (site: Site, path: string, text: string) => tryChange({ '.env': 'KEY=1', ...sites[site] }, path, text);

const live = '<b onclick="x()">y</b>';
const code = `\`\`\`\n${live}\n\`\`\`\n`;

test.each<[string, Site, string]>([
  ['a blank of Unicode in a paragraph', 'none', `x \`\n\u00a0\n\`${live}\` y\n`],
  ['a blank of Unicode above four blanks', 'none', `x\n\u2003\n    ${live}\n`],
  ['a blank of Unicode behind a fence', 'none', `\`\`\`\nx\n\`\`\`\u00a0\n\n${code}`],
  ['a mark of the order of bytes before a fence', 'none', `\uFEFF\`\`\`\nx\n${code}x\n\`\`\`\n`],
  ['a mark in a title', 'none', `[x](y "\`") ${live} [z](w "\`")\n`],
  ['a mark in an address', 'none', `[x](\`y) ${live} [x](\`y)\n`],
  ['a mark in the title of an image', 'none', `![x](y "\`") ${live} ![z](w "\`")\n`],
  ['a mark in a reference', 'hugo', `[x][y\`] ${live} [x][y\`]\n\n[y\`]: /z\n`],
  ['a mark in a bare address', 'vitepress', `https://x.example/\`z ${live} \`\n`],
  ['a mark in a list of attributes', 'kramdown', `*x*{: title="\`"} ${live} *z*{: title="\`"}\n`],
  ['a mark in attributes of a link', 'quarto', `[x](y){title="\`"} ${live} [z](y){title="\`"}\n`],
  ['a mark in a tag with a mark of tags', 'none', `x <b title="<" x="\`" onclick="x()">\`</b>\n`],
  ['a mark in a tag with its end as text', 'none', `x <b title=">" x="\`" onclick="x()">\`</b>\n`],
  ['a mark in a tag of two lines', 'none', "x <b title='\n`' onclick='x()' y='`'>z</b>\n"],
  ['a mark in a link of two lines', 'none', `x [y](z '\n\`') ${live} [y](z '\`')\n`],
  ['a fence in an item without text', 'none', `-\n  \`\`\`\n${live}\n  \`\`\`\n`],
  ['a fence in an item with many blanks', 'none', `-     x\n\n  \`\`\`\n${live}\n  \`\`\`\n`],
  ['a fence in a quote that ends', 'none', `>> \`\`\`\n> ${live}\n>> \`\`\`\n`],
  ['a fence below front matter that dots end', 'jekyll', `---\na: b\n...\n\`\`\`\n---\n${code}`],
  ['a fence below front matter that more than a rule ends', 'vitepress', `---\na: b\n---x\n\`\`\`\n---\n${code}`],
  ['a fence below a rule in front matter', 'sphinx', `---\na: |\n  ---\n\`\`\`\n---\n${code}`],
  ['a fence in front matter that is none', 'mkdocs', `---\n\`\`\`\n---\n${code}`],
  ['a fence below a rule with an empty line', 'mkdocs', `---\n\n\`\`\`\n---\n${code}`],
  ['a mark that no second item ends', 'none', `x \`\n2. \`${live}\`\n`],
  ['a fence right below four blanks', 'superfences', `x\n\n    y\n~~~~\n${live}\n~~~~\n`],
  ['a fence below four blanks more', 'superfences', `- x\n\n      y\n  z\n  ~~~~\n  ${live}\n  ~~~~\n`],
  ['code below a list by letters', 'quarto', `a. x\n\n    ${live}\n`],
  ['code below a list by numbers in brackets', 'quarto', `(1) x\n\n    ${live}\n`],
  ['a formula whose mark is a heading', 'quarto', `x\n\n$$\n-\n  [x]{onclick="x()"}\n$$\n`],
  ['code over the columns of a table', 'quarto', `+---+\n| \`a | ${live} \` |\n+---+\n`],
  ['a blank of Unicode before a script', 'quarto', '[x](&emsp;javascript:x())\n'],
  ['attributes behind a line end', 'quarto', '[x]{\nonclick="x()"}\n'],
  ['attributes over many lines', 'kramdown', 'x\n{: .a\n.b\n.c\n.d\nonclick="x()"}\n'],
  ['a name of an attribute in quotes', 'vitepress', '*x*{: "onclick"="x()"}\n'],
  ['an attribute whose name is computed', 'vitepress', '# x {:[k]="y"}\n'],
  ['a shortcode in code', 'hugo', '`{{< figure src="x" caption="<script>x()</script>" >}}`\n'],
  ['a key of TOML by its code', 'hugo', '+++\n"lay\\u006fut" = "secret"\n+++\nx\n'],
  ['front matter of Org', 'hugo', '#+layout: secret\nx\n'],
  ['a merged key', 'jekyll', '---\n<<: {layout: secret}\n---\n'],
  ['a merged alias', 'jekyll', '---\na: &a {layout: secret}\n<<: *a\n---\n'],
  [
    'a directive that reads its text as lines',
    'sphinx',
    `\`\`\`{parsed-literal}\n* x\n\n    ~~~\n    ${live}\n    ~~~\n\`\`\`\n`,
  ],
  ['code that ends behind its directive', 'sphinx', `~~~{note}\n1. x\n   ~~~{code} c\n   ${live}\n   ~~~\n~~~\n`],
  ['code over the cells of a directive', 'sphinx', `\`\`\`{csv-table}\n\`a, ${live}, b\`\n\`\`\`\n`],
])('promise 19: %s is refused (%s)', async (_what, site, text) => {
  expect(await change(site, 'docs/a.md', text)).toBeDefined();
});

const list = (site: Site, path: string, texts: readonly string[]) =>
  texts.map((text): [string, Site, string] => [text, site, path]);

test.each<[string, Site, string]>([
  ...list('none', 'docs/a.adoc', [
    'include::x y/../../.env[]',
    'include::a.adoc y/../../.env[]',
    'image::x y/../../.env[opts=inline,format=svg]',
    ':x: java\n\nlink:{x}script:x()[y]',
    'link:java{empty}script:x()[y]',
    ':a: javascript\n:b: :x()\n\nlink:{a}{b}[y]',
    'link:{x}script:x()[y]',
    'link:java&#115;cript:x()[y]',
    ':x: javascript\n\nimage::y.png[link={x}:x()]',
    ':q: x"\n:r: onclick\n\n[.{q} {r}=x()]#y#',
    ':x: pass\n\n[{x}]\n<b onclick="x()">y</b>',
    ':a: {b}{b}{b}{b}\n:b: {c}{c}{c}{c}\n:c: {a}{a}{a}{a}\n\n{a}',
    'link:/y[x,role=\'a"\nonclick="x()\']',
    '[.a"\nonclick="x()]#y#',
    '[.a" x-init="x()]#y#',
    'stem:q[<b\nonclick="x()">y</b>]',
    '["pass"]\n<b onclick="x()">y</b>',
    ...['====', '****', '--', '____', '~~~~'].map(
      (mark) => `${mark}\n.Title\n----\n${mark}\n[.x"onclick="x()]#y#\n${mark}\n----\n${mark}`,
    ),
    'ifdef::n[]\n\n----\nx\nendif::[]\n[.x"onclick="x()]#y#\n\nifdef::n[]\n----\nendif::[]',
    '[source,subs="+macros"]\n.Title\n----\npass:[<b onclick="x()">y</b>]\n----',
    ':eqnums: x"}});x();({a:{b:"',
  ]),
  ...list('sphinx', 'docs/a.rst', [
    '.. |x|\n   raw:: html\n   :file: ../.env\n\n|x|',
    '.. |a\n   b| image:: ../.env\n\n|a b|',
    '.. image::\n   ../.env',
    '.. image:: ..\n   /.env',
    '.. graphviz::\n   ../.env',
    '.. role::\n   x(raw)\n   :format: html',
    '.. default-role:: download\n\n`../.env`',
    '.. note:: .. role::\n      x(raw)\n      :format: html\n\n   :x:`<b>`',
    ':download:`x\n<../.env>`',
    'data:text/html,x',
    '+---+\n| .. |x| image:: ../.env |\n|    |x| |\n+---+',
    '.. meta::\n   :name=x onclick=x(): y',
    '.. toctree::\n\n   javascript://%0ax()',
  ]),
  ...list('sphinx', 'docs/a.md', [
    '{download}`x\n<../.env>`',
    '{download}``../.env``',
    '<path:../.env>',
    '[^1]: **[x](../.env)**\n\nx[^1]',
    '$$\n```{figure} x.png\n---\n"target": "java\\x73cript:x()"\n--- ```\n$$',
    '[x](path:../.env)',
    '```{image} x.png\n:target: javascript:x()\n```',
    '```{figure} x.png\n---\n"target": "java\\x73cript:x()"\n---\n```',
    '```{csv-table}\n---\n{file: ../.env}\n---\n```',
    '```{csv-table}\n---\n<<: {file: ../.env}\n---\n```',
    '```{csv-table}\n---\n? file\n: ../.env\n---\n```',
    '```{csv-table}\r\n---\r\n{file: ../.env}\r\n---\r\n```',
    '\t```{csv-table}\n\t---\n\tfile: /tmp/canary.txt\n\t---\n\t```',
    '```{toctree}\njavascript://%0ax()\n```',
    '```{code-block} python\n:caption: <b onclick="x()">y</b>\nx\n```',
  ]),
])('promise 19: `%s` is refused (%s, %s)', async (text, site, path) => {
  expect(await change(site, path, `Text\n\n${text}\n`)).toBeDefined();
});

test.each<[string, Site, string]>([
  ...list('none', 'docs/a.adoc', [
    ':url: https://docs.example\n\nlink:{url}/x[y], link:{host}:8080/z[w], xref:{part}:a:b.adoc[c], xref:d.adoc[`e["f"]`]',
    '====\n----\n<b onclick="x()">\n----\n====',
    '[source,html]\n.Title\n----\nifdef::x[]\n<b onclick="x()">\nendif::[]\n----',
    '[cols="1,2",options="header"]\n|===\n|`a["b"]`|c\n|===',
    'stem:[x < y], image:a.png[title="b",role=\'c\'], <<link>>, <<base,the base>>',
  ]),
  ...list('sphinx', 'docs/a.rst', [
    '.. |x| image:: a.png\n   :alt: y',
    '.. image::\n   img/a.png',
    '.. meta::\n   :description: x\n   :keywords lang=en: a, b',
    '.. toctree::\n   :maxdepth: 1\n\n   a\n   Data <b>\n   x <https://docs.example>',
    '.. tabs::\n\n   .. code-block:: json\n\n      {"url": "x"}',
  ]),
  ...list('sphinx', 'docs/a.md', [
    '```{figure} a.png\n:target: https://docs.example\n:alt: Data: x\n```',
    '```{list-table}\n---\nheader-rows: 1\n---\n* - a\n```',
    '```{code-block} python\n:caption: x <b>\n\nx = "<script>"\n```',
  ]),
])('`%s` may be written (%s, %s)', async (text, site, path) => {
  expect(await change(site, path, `Text\n\n${text}\n`)).toBeUndefined();
});

test.each<[string, string]>([
  ['a fence behind a tab', '-\tx\n\n\t```\n{x()}\n\t```\n'],
  ['a fence in an item without text', '-\n  ```\n{x()}\n  ```\n'],
  ['a formula that begins in a title', '[x](y "$a") {(x)()} [z](w "$")\n'],
  ['a formula that its list ends', '- x\n  $$\n{(x)()}\n  $$\n'],
  ['a formula that its quote ends', '> $$\n{(x)()}\n> $$\n'],
  ['code in comments', '<!--\n```\n-->\n{x()}\n\n<!--\n```\n-->\n'],
  ['an element named by another script', '<éx/>\n'],
  ['an element of an export', 'export const a = <b c={x()}/>\n'],
  ['front matter that more than a rule ends', '---\na: b\n---x\n\n{x()}\n\n---\n'],
])('promise 19: %s is refused in MDX', async (_what, text) => {
  expect(await change('docusaurus', 'docs/a.mdx', text)).toBeDefined();
});

test.each<[string, Site, string]>([
  ['code behind links, tags and braces', 'none', `[x](y "z") <br> <b class="a">b</b> {x} \`${live}\`\n`],
  ['code in a list', 'none', `1. x\n   \`\`\`html\n   ${live}\n   \`\`\`\n2. y \`${live}\`\n`],
  ['code in a quote', 'none', `> x\n>\n> \`\`\`html\n> ${live}\n>\n> \`\`\`\n`],
  ['code in tabs', 'superfences', `=== "x"\n    \`\`\` html\n    ${live}\n    \`\`\`\n`],
  ['code with a blank of Unicode', 'none', `x\n\n\`\`\`\n\u00a0${live}\n\`\`\`\n`],
  ['code with line ends of Windows', 'none', `x\r\n\r\n${code.replaceAll('\n', '\r\n')}`],
  ['code below front matter with a fence as text', 'docusaurus', `---\na: '\`\`\`'\n---\n\n${code}`],
  ['code behind a cell', 'quarto', `x\n\n\`\`\`{mermaid}\nx\n\`\`\`\n\n${code}`],
  ['code in a directive', 'sphinx', `\`\`\`\`{note}\n${code}\`\`\`\`\n`],
  ['plain front matter of TOML', 'hugo', '+++\ntitle = "x"\n[params]\na = 1\n+++\n'],
])('%s may be written (%s)', async (_what, site, text) => {
  expect(await change(site, 'docs/a.md', text)).toBeUndefined();
});
