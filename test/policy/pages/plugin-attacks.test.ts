import { expect, test } from 'vitest';
import type { Files } from '../../../harness/memory-files.ts';
import { tryChange } from '../try-change.ts';

/** What plugins, themes and libraries of the builders run, read or copy, by their sources. */
const sites = {
  none: {},
  docusaurus: { 'docusaurus.config.js': 'themes: ["live-codeblock"]; import math from "remark-math"' },
  fumadocs: { 'source.config.ts': '', 'docs/part.md': '' },
  rspress: { 'rspress.config.ts': '' },
  mkdocs: { 'mkdocs.yml': 'plugins: [markdown-exec]\nmarkdown_extensions: [pymdownx.superfences]' },
  sphinx: { 'docs/conf.py': 'extensions = ["myst_parser", "sphinx_design"]' },
  docsify: { 'docs/index.html': '<script>window.$docsify = {}</script>', 'docs/_sidebar.md': '', 'docs/.nojekyll': '' },
  nuxt: { 'nuxt.config.ts': 'modules: ["@nuxt/content"]', 'content/b.md': '::chart{of="x"}\n::\n' },
  vuepress: { '.vuepress/config.ts': '' },
  honkit: { 'book.json': '{}' },
  gitbook: { '.gitbook.yaml': 'root: ./', 'SUMMARY.md': '# S\n' },
  mdbook: { 'book.toml': '[preprocessor.cmdrun]', 'src/SUMMARY.md': '# S\n' },
  observable: { 'observablehq.config.js': 'export default {}' },
  svelte: { 'svelte.config.js': "import { mdsvex } from 'mdsvex'" },
  quarto: { '_quarto.yml': 'project: { type: website }' },
  myst: { 'myst.yml': 'version: 1' },
  jekyll: { '_config.yml': 'title: x' },
  antora: { 'docs/b.adoc': '[plantuml]\n----\na -> b\n----\n\n[gnuplot]\n----\nplot x\n----\n' },
  starlight: { 'astro.config.mjs': "import starlight from '@astrojs/starlight'", 'docs/hero.png': '' },
} satisfies Record<string, Files>;

type Site = keyof typeof sites;

const change = (site: Site, path: string, text: string) => tryChange({ '.env': 'KEY=1', ...sites[site] }, path, text);

const list = (site: Site, path: string, texts: readonly string[]) =>
  texts.map((text): [string, Site, string] => [text, site, path]);
const head = (...lines: readonly string[]) => `---\n${lines.join('\n')}\n---\n\nx\n`;
const live = (indent: string) => `\`\`\`jsx live\n${indent}render(fetch('/x'))\n${indent}\`\`\`\n`;
const deep = ' '.repeat(210);
const directive = (text: string) => `.. graphviz::\n\n   digraph { a [${text}] }\n`;

test.each<[string, Site, string]>([
  ...list('docusaurus', 'docs/a.mdx', [
    `- - ${live('    ')}`,
    `1. - ${live('     ')}`,
    `[^1]: ${live('    ')}\n[^1]\n`,
    `${deep}${live(deep)}`,
    '[x](pathname://javascript:y())\n',
    '```mermaid\nclick A "javascript:x()"\n```\n',
    '```mermaid\nclick A call x()\n```\n',
    '```js file=../.env\n```\n',
    '+++\na = "{x()}"\n+++\n\ny\n',
    '--- \na: "{x()}"\n--- \n\ny\n',
    ...['a: b: {x()}', 'a: "{x()}"\na: b', '%TAG {x()}', 'a: !b "{x()}"', 'a: b\n\t{x()}'].map((line) => head(line)),
    '```tsx preview\nx()\n```\n',
    '```ts doc-gen:file\n{"file": "../.env"}\n```\n',
    '<auto-type-table path="../.env" name="x" />\n',
    '$\\newcommand{\\a}[2]{\\href{#1#2}{x}}\\a{java}{script:y()}$\n',
    '$\\let\\h\\href\\h{javascript:x()}{y}$\n',
    '$\\mmlToken{mi}[href="javascript:x()"]{y}$\n',
    head('image: ../.env'),
    head('authors: [{ image_url: ./../.env }]'),
  ]),
  ...list('fumadocs', 'docs/a.mdx', [
    '<include>part.md<b>/../../.env</b></include>\n',
    '<include>&#46;&#46;/&#46;&#46;/x.md</include>\n',
    '<include>part.md/_._./_._./x.md</include>\n',
    ':include[../.env]\n',
    'a:include[/etc/x.md]{lang=js}\n',
    '::::::::::::include\npart.md\n::::::::::::\n',
  ]),
  ...list('fumadocs', 'docs/a.md', [':include[../.env]\n']),
  ...list('rspress', 'docs/a.mdx', [
    ...['&#46;./.env', `".'./.env"`, `'.'./.env`, '&period;&period;&sol;&period;env'].map(
      (file) => `\`\`\`js file=${file}\n\`\`\`\n`,
    ),
  ]),
  ...list('mkdocs', 'docs/a.md', [
    `- - \`\`\`python exec="on"\n    x()\n    \`\`\`\n`,
    `${deep}\`\`\`python exec="on"\n${deep}x()\n${deep}\`\`\`\n`,
    '::: mkdocs-click\n    :module: x\n    :command: y\n',
    'a: b\ntemplate: c.html\n\nx\n',
    '![`" onerror="x()`](y)\n',
    '[![a `" onerror="x()` b](y)](z)\n',
    '[x](y "`a" onclick="z()`")\n',
    `[x](y "\`") [x](y 'a" onclick="z()') [v](w "\`")\n`,
    '![x](`"onerror="y()`)\n',
    `[x](y '\n\`') # \`\`\`\n[x](y 'a" onclick="z()') [v](w '\`')\n`,
    '::: x\n    options:\n      force_inspection: true\n',
    '```plantuml\n!include ../.env\n```\n',
    '```kroki-plantuml\n%load_json("/etc/passwd")\n```\n',
  ]),
  ...list('sphinx', 'docs/a.rst', [
    ...['"java"+"script:x()"', '"&#106;avascript:x()"', '"java\\\n   script:x()"'].map((url) =>
      directive(`URL=${url}`),
    ),
    directive('image="/etc/passwd"'),
    directive('label=<<img src="../.env"/>>'),
    '.. grid-item-card:: x\n   :img-top: ../../.env\n',
    '.. image:: id_rsa\n',
    ':octicon:`x;1em;" onclick="y()`\n',
    '.. c:autodoc:: ../.env\n',
    '.. math::\n\n   \\let\\h\\href \\h{javascript:x()}{y}\n',
  ]),
  ...list('docsify', 'docs/a.md', [
    '[x](../.env (:include))\n',
    "[x][y]\n\n[y]: ../.env ':include'\n",
    "[x](//page.example/x.md ':include')\n",
    '[x](https://page.example/x.html (:include :type=iframe))\n',
    "[x](y.md ':include :type=iframe onload=x()')\n",
    `[x]: /y "\n[x](.env ':include')\n"\n`,
    '<div v-pre>{{ x() }}</div>\n',
    '<p v-pre>{{ x() }}</p>\n',
    '[x](/y"onclick="z\\(\\))\n',
    '[x](</y)" onclick="z()">)\n',
    '```a"onmouseover="x()\ny\n```\n',
  ]),
  ...list('nuxt', 'content/a.md', [
    '::iframe{src="https://page.example"}\n::\n',
    ':iframe{src="//page.example"}\n',
    '::iframe\n---\n"s\\x72c": //page.example\n---\n::\n',
    '::a\n---\nonclick: x()\n---\n::\n',
    ':base{href="//page.example"}\n',
    ':meta{http-equiv=refresh content="0;url=//page.example"}\n',
    '::script\nx()\n::\n',
    '::widget{of="x"}\n::\n',
    '<Widget of="x" />\n',
    ':widget[x]\n',
    '{{ $doc.x || "y" }}\n',
    `[x]{v-bind='{"onclick":"y()"}'}\n`,
    `<a v-bind='{"href":"javascript:y()"}'>x</a>\n`,
    `:note{:to='"javascript:y()"'}\n`,
    ':note{to="j\navascript:y()"}\n',
    ':note{title="x"} :iframe{src="//page.example"}\n',
    `::note\n---\nv-bind: '{"onclick":"y()"}'\n---\n::\n`,
    `(1) x\n\n    ::note{v-bind='{"onclick":"y()"}'}\n    ::\n`,
  ]),
  ...list('vuepress', 'docs/a.md', [
    '@[code](/etc/passwd)\n',
    '- @[code js](/proc/self/environ)\n',
    '@include(../../x.md)\n',
    'x\n\n::: v-pre\n{{ y }}\n:::\n',
    '@[pdf](//page.example/x.pdf)\n',
    '::: normal-demo x\n```js\nx()\n```\n:::\n',
  ]),
  ...list('honkit', 'a.md', [
    '{% include "git+https://page.example/x.git/y.md" %}\n',
    '{% include "//page.example/y.md" %}\n',
    '~~~js a b\n<b onclick="x()">y</b>\n~~~\n',
    '```\nx ```\n<b onclick="x()">y</b>\n```\n',
    '[^a" onclick="x()]: y\n',
  ]),
  ...list('gitbook', 'a.md', ['{% file src="../.env" %}\n', '{% content-ref url="javascript:x()" %}\n']),
  ...list('mdbook', 'src/a.md', ['x <!-- cmdrun cat ../.env -->\n', '<!--\ncmdrun x -->\n']),
  ...list('observable', 'src/a.md', [head('sql:', '  x: ./.env'), '<img src="../.env">\n']),
  ...list('svelte', 'src/routes/a.md', [
    '&#123;x()}\n',
    '&lbrace;x()}\n',
    '> x\n```\n\ty\n\n{x()}\n```\n',
    '![`" onerror="x()`](y)\n',
    'x\n\n    {x()}\n',
    '    <div>\n    \n    `{x()}`\n    \n    </div>\n',
    `[x](y 'a" onclick="z()')\n`,
    `[x]: y 'a" onclick="z()'\n\n[x]\n`,
    '<b use:x>y</b>\n',
    '<b transition:x>y</b>\n',
  ]),
  ...list('quarto', 'a.qmd', [
    head('from: rst'),
    head('eval: true'),
    head('title-block-banner: ./.env'),
    head('julia: { exeflags: x }'),
    '## x {background-iframe="//page.example"}\n',
    '{{< video ../.env >}}\n',
    '```{dot}\ndigraph { a [URL="java"+"script:x()"] }\n```\n',
    '```{mermaid}\n%%| fig-cap: <script>x()</script>\ngraph TD\n```\n',
    '```{.python include="../.env"}\n```\n',
    '```{.include}\n../.env\n```\n',
    '\\write18{x}\n',
    '$$\\input{../.env}$$\n',
    '\\begin{filecontents}{x}\n',
  ]),
  ...list('myst', 'a.md', [head('thumbnail: ../.env'), '![x](../.env)\n']),
  ...list('jekyll', 'a.md', [head('custom_js: x'), head('lang: "en\\" onload=\\"x()"')]),
  ...list('antora', 'docs/a.adoc', [
    '[plantuml]\n----\n!include ../.env\n----\n',
    '[gnuplot]\n----\nsystem("x")\n----\n',
    'image::https://page.example/x.svg[opts=interactive]\n',
  ]),
  ...list('none', 'docs/a.md', ['<turbo-frame src="//page.example"></turbo-frame>\n']),
])('promise 19: `%s` is refused (%s, %s)', async (text, site, path) => {
  expect(await change(site, path, text)).toBeDefined();
});

test.each<[string, Site, string]>([
  ...list('docusaurus', 'docs/a.mdx', [
    '- - ```jsx\n    live()\n    ```\n',
    '```mermaid\ngraph TD\nclick A "https://docs.example/a" "A b"\nclick B href "/c" _blank\n```\n',
    '$\\newcommand{\\a}[1]{\\mathbf{#1}} \\href{https://docs.example}{\\a{x}}$\n',
    '```js title="a.js" file=a.js\nx\n```\n',
    '```sh title="A preview"\nx\n```\n',
    head('image: ./img/a.png', 'pagination_next: ../b'),
    head('title: The `{x}` of <y>', 'tags: [a, b]', 'description: >-', '  a {z()} b'),
  ]),
  ...list('sphinx', 'docs/a.rst', [
    directive('URL="https://docs.example/a", image="a.png"'),
    ':octicon:`x;1em;sd-text-info`\n',
  ]),
  ...list('fumadocs', 'docs/a.mdx', [
    '<include>part.md</include>\n',
    '<include>./_parts/a_b.md#x</include>\n',
    ':include[part.md]\n',
  ]),
  ...list('rspress', 'docs/a.mdx', ['```js title="a b" file="./a.js"\n```\n']),
  ...list('docsify', 'docs/a.md', [
    "[x](b.md ':include')\n",
    "[x](/y ':target=_self')\n",
    '[a (b)](c.md "d")\n',
    'x <span v-pre>{{ a }}</span>\n',
    '```html\n<b onclick="x()">\n```\n',
  ]),
  ...list('nuxt', 'content/a.md', [
    '::note\nx\n::\n',
    '::card{title="x" to="/y"}\n::\n',
    '::chart{of="y"}\n::\n',
    ':badge[x]{color="primary"} at 10:30, a:b, [x](y){.z}\n',
    'Write `:iframe{src="x"}`.\n',
    ':icon{name="i-lucide-x"}\n',
    `::card{:items='[{"a":"b"}]' to="/x"}\n::\n`,
  ]),
  ...list('vuepress', 'docs/a.md', ['::: tip\nA demo: `@[code](x)`\n:::\n', 'Mail a@[b](c).example\n']),
  ...list('svelte', 'src/routes/a.md', [`[x](y "z") &#40;a&#41; \`{x}\`\n`]),
  ...list('mkdocs', 'docs/a.md', [
    'See [it](a.md "b"): `<a class="b" onclick="c()">`, ![d](e.png)\n',
    '[`<a class="b" onclick="c()">`](d.md)\n',
  ]),
  ...list('gitbook', 'a.md', ['{% file src="files/a.pdf" %}\n']),
  ...list('quarto', 'a.qmd', [head('title: .NET', 'image: ./a.png', 'number-sections: true'), '{{< video a.mp4 >}}\n']),
  ...list('jekyll', 'a.md', [head('title: .NET', 'description: Use "onclick=x"', 'lang: en')]),
  ...list('antora', 'docs/a.adoc', [
    '[plantuml]\n----\n!include <x/y>\nb -> c\n----\n',
    '[gnuplot]\n----\nplot x\n----\n',
  ]),
  ...list('starlight', 'docs/a.md', [
    head('title: x', 'hero:', '  image:', '    file: ./hero.png', '  actions: [{ link: ../b/ }]'),
  ]),
  ...list('none', 'docs/a.md', ['<lite-video id="x"></lite-video>\n']),
])('`%s` may be written (%s, %s)', async (text, site, path) => {
  expect(await change(site, path, text)).toBeUndefined();
});
