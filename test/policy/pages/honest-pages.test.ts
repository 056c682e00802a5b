import { expect, test } from 'vitest';
import type { Files } from '../../../harness/memory-files.ts';
import { tryChange } from '../try-change.ts';

const starlight = {
  'astro.config.mjs': "import starlight from '@astrojs/starlight'",
  'src/content/docs/a.mdx': '<Part text="x" />\n',
};
const mdx = 'src/content/docs/b.mdx';
const superfences = { 'mkdocs.yml': 'markdown_extensions: [pymdownx.superfences]', 'docs/a.md': 'x\n' };
const vitePress = { '.vitepress/config.ts': 'export default {}', 'a.md': 'x\n' };

const hugo = { 'hugo.toml': '', 'content/a.md': '{{< a >}}\n' };
const mintlify = { 'docs.json': '{"navigation": {"pages": ["a"]}}', 'a.mdx': 'x\n' };
const jest = { 'docusaurus.config.js': '', 'docs/a.md': 'x\n' };
const adoc = 'modules/ROOT/pages/b.adoc';
const sphinx = {
  'docs/conf.py': "# General substitutions.\nextensions = ['sphinx_prompt']\n",
  'docs/index.rst': 'Index\n=====\n',
};
const antora = {
  'antora.yml': 'name: x\n',
  'modules/ROOT/pages/a.adoc': '= x\n\nOne badge::[label=beta] and config_ref:a_b,true,properties/cluster[].\n',
};

/** What people write in real repositories, and what runs nothing. */
test.each<[string, Files, string, string]>([
  [
    'code titled by a workflow',
    hugo,
    'content/b.md',
    '```yaml {file=".github/workflows/hugo.yaml" copy=true}\nx: y\n```\n',
  ],
  ['words of a title that run code elsewhere', mintlify, 'b.mdx', '```js Set API playground live\nx()\n```\n'],
  [
    'marks of code in longer ones',
    jest,
    'docs/b.md',
    '- Keep `$&`, `` $` `` or `$$`\n- Point at `{virtual: true}` in `x`\n',
  ],
  ['marked lines of a code block', starlight, mdx, '```js title="a.js" {2-9, 13} ins={5}\nx()\n```\n'],
  [
    'marks of code in texts of a component, and code below',
    starlight,
    mdx,
    '<div title="a `b` c" />\n\nx\n\n<Part\n  text={`use \\`x\\` and a <B>`}\n/>\n\n```js\nconst { a } = b()\n```\n',
  ],
  [
    'code blocks in lists in components',
    starlight,
    mdx,
    '<div>\n    1. x\n\n        ```ts\n        import { a } from "b";\n\n        const { c } = a;\n        ```\n</div>\n',
  ],
  ['quotes in cells', antora, adoc, '|===\n| split(\'one,two\', \',\') | ["one", "two"]\n|===\n'],
  [
    'a comment with quotes',
    antora,
    adoc,
    '----\nx\n----\n// (step {"run": "x --y=\'{{ .data \\"a\\" }}\' > z", "codes": [0]})\n',
  ],
  ['a macro shown as text', antora, adoc, '|===\n| `+ref:a.adoc#b[c]+` | `+value:mode=x[,y]+`\n|===\n'],
  ['HTML in a block of AsciiDoc', antora, adoc, '. x\n+\n[source,html]\n----\n<a onclick="x()">\nsh::x[]\n----\n'],
  [
    'a code block in a quote in a list, and code below',
    vitePress,
    'b.md',
    '- x\n\n  > **Note**\n  >\n  > ```diff\n  > - <Wrapper :a="b">\n  >\n  > ```\n\n- add `<link>`\n',
  ],
  [
    'a page of Hugo that begins with a shortcode',
    hugo,
    'content/b.md',
    '{{< a >}}\n\n| Build context | Layout: |\n\nLayout: x\n',
  ],
  [
    'containers in code, and containers',
    vitePress,
    'b.md',
    '::: tip\nx\n:::\n\n```md\n::: tip\n{{ x\n:::\n```\n\n:::: info\n```md\n:::\n```\n::::\n\n```js\n{{ x }}\n```\n',
  ],
  ['a long comment of MDX', starlight, mdx, `{/* Left out: <Old> of {x}.\n\n${'Words. '.repeat(500)}\n*/}\n\nText\n`],
  ['code right below a comment', vitePress, 'b.md', '<!-- prettier-ignore -->\n```html\n<script>\nx\n</script>\n```\n'],
  [
    'Jinja in reStructuredText',
    sphinx,
    'docs/b.rst',
    'Use ``{{ x | split(",") }}``:\n\n.. code-block:: yaml\n\n   a: "{{ b }}"\n',
  ],
  [
    'directives and roles that only show',
    sphinx,
    'docs/b.rst',
    '.. rst:directive:option:: x\n\n   y\n\n.. soft-deprecated:: 3.15\n\n.. prompt:: bash\n\n   tox\n\nRun :program:`uv`.\n',
  ],
  [
    'macros that the base has, with other words',
    antora,
    adoc,
    'badge::[label=new]\n\nSee config_ref:c,false,properties/object-storage[].\n',
  ],
  [
    'code in a component with numbers, and code below',
    starlight,
    mdx,
    'Pass <Part text={2}>a `<script>` path</Part> to it.\n\n```js\nconst { a } = b()\n```\n',
  ],
  [
    'an escaped tag, and code below',
    vitePress,
    'b.md',
    '# \\<script setup> {#x}\n\nThe `<script setup>` block:\n\n```vue\n<script setup>\n</script>\n```\n',
  ],
])('%s may be written', async (_what, files, path, after) => {
  expect(await tryChange(files, path, after)).toBeUndefined();
});

test.each<[string, Files, string, string]>([
  ['an expression behind a comment', starlight, mdx, '{/* a */ y()}\n'],
  ['an expression in a comment that code ends', starlight, mdx, '`{/*` {y()} */}\n'],
  [
    'code below a comment of kramdown',
    { '_config.yml': '', '_posts/2026-01-01-a.md': 'x' },
    'b.md',
    '<!-- x -->\n```html\n<script>\nx()\n</script>\n```\n',
  ],
  [
    'Jinja in reStructuredText that a hook runs',
    { ...sphinx, 'docs/conf.py': "def setup(app): app.connect('source-read', jinja)" },
    'docs/b.rst',
    '{{ x.y }}\n',
  ],
  ['Jinja in MyST with substitutions', sphinx, 'docs/b.md', '{{ x.y }}\n'],
  ['a macro that names a file', antora, adoc, 'badge::x/y.csv[]\n'],
  ['a macro that leaves the folder', antora, adoc, 'config_ref:../x[]\n'],
  ['a macro that no page has', antora, adoc, 'other::[label=x]\n'],
  ['code that a tag with braces holds', starlight, mdx, '<b a={1} title="`"> {y()} `</b>\n'],
  ['code behind a tag that is open', vitePress, 'b.md', '<b a={1} c=`d onclick="y()"` e>x</b>\n'],
  ['HTML behind an escaped backslash', vitePress, 'b.md', 'x \\\\<b onclick="y()">x</b>\n'],
  ['an escape in HTML', vitePress, 'b.md', '<div>\n\\<b onclick="y()">x</b>\n</div>\n'],
  ['an escape behind an unclear mark of code', vitePress, 'b.md', '`x \\<b onclick="y()">x</b>\n'],
  ['an expression behind texts with marks of code', starlight, mdx, '<b title="`" /> {y()} <b title="`" />\n'],
  ['an expression in a text that code ends', starlight, mdx, '<b title="a `"` b" lang="{y()}" /> `x`\n'],
  ['an expression in a tag that is code', starlight, mdx, '`<b title="` {y()} <b lang="` " />\n'],
  ['a component in a computed text', starlight, mdx, '<Part text={`${<Evil />}`} />\n'],
  ['HTML in a text', starlight, mdx, '<Part text=\'<b onclick="y()">\' />\n'],
  ['a component behind a text', starlight, mdx, '<Part text="<A>" /><Evil />\n'],
  ['a fence of MDX that goes on', starlight, mdx, '````js\nx\n```\n{y()}\n````\n\n{z()}\n'],
  ['what ends a list, and code in it', starlight, mdx, '    1. x\n\n       ```js\n       a\n\n{y()}\n\n       ```\n'],
  ['what ends a list with a tab', starlight, mdx, '- \tx\n\n     ```js\n     a\n\n<b>{y()}</b>\n\n     ```\n'],
  [
    'what ends the inner of two lists',
    vitePress,
    'b.md',
    '- - x\n\n    ```js\n    a\n\n  <b onclick="y()">x</b>\n\n    ```\n',
  ],
  [
    'what ends a list with a rule in it',
    vitePress,
    'b.md',
    '- a\n\n  ---\n\n  ```js\n  x\n\n<b onclick="y()">x</b>\n\n  ```\n',
  ],
  [
    'what ends a list with many blanks',
    vitePress,
    'b.md',
    '-      x\n\n  ```js\n  x\n\n<b onclick="y()">x</b>\n\n  ```\n',
  ],
  [
    'what ends a list in a quote',
    starlight,
    mdx,
    '>       - x\n>\n>         ```\n>         x\n>\n> {y()}\n>\n>         ```\n',
  ],
  [
    'what ends lists that begin in one line',
    starlight,
    mdx,
    '1.       - x\n\n           ~~~~\n           x\n\n   {y()}\n\n           ~~~~\n',
  ],
  [
    'what ends a list, in a text that code begins',
    starlight,
    mdx,
    '- ````\n  <Part text={`<b a={y()} />\n<b a={y()} />`} />\n\n  ````\n',
  ],
  [
    'code of Python that stands further left',
    superfences,
    'docs/b.md',
    'x\n\n  ```\n  x\n\n<b onclick="y()">x</b>\n\n  ```\n',
  ],
  ['a tag behind an unclear fence', starlight, mdx, 'x\n>\n>   ```\n>\n> <Part\n  title="{y()}"\n/>\n>\n>   ```\n'],
  [
    'an interpolation in code by blanks',
    vitePress,
    'b.md',
    'x\n\n    ```\n    ```js [{{ y }}]\n    x\n    ```\n    ````\n',
  ],
  ['code of Python below a tab', superfences, 'docs/b.md', '\tx\n~~~\n<b\nonclick="y()">x</b>\n~~~\n'],
  [
    'text of Python below a fence',
    superfences,
    'docs/b.md',
    '~~~~\nx\n~~~~\n    ::: tip\n    <svg/onload=y()>\n    :::\n',
  ],
  ['a quote that ends a list', vitePress, 'b.md', '- x\n\n  ```\n  x\n\n> <b onclick="y()">x</b>\n\n  ```\n'],
  [
    'what ends a quote and its formula',
    { ...starlight, 'docusaurus.config.js': 'remark-math' },
    mdx,
    '> $$\n{/* */ y()}\n$$\n',
  ],
  ['what ends a list, and code behind a tab', starlight, mdx, '- a\n\n\t```js\n\tx\n\n{y()}\n\n\t```\n'],
  [
    'what ends a list with a tab in Markdown',
    vitePress,
    'b.md',
    '- a\n  -\tx\n\n     ```js\n     a\n\n  <b onclick="y()">x</b>\n\n     ```\n',
  ],
  ['code below an end of a container in code', vitePress, 'b.md', '::: raw\n~~~\n:::\n~~~\n\n~~~\n{{ y }}\n~~~\n:::\n'],
])('promise 19: %s is refused', async (_what, files, path, after) => {
  expect(await tryChange(files, path, after)).toContain('pages may not add code');
});

test.each([
  ['modules/ROOT/pages/b.adoc', 'ref:a.adoc#b[c]\n', '`+name:text[]+`'],
  ['modules/ROOT/pages/b.adoc', 'Write `<a onclick="x()">`\n', 'a block of `----`'],
])('a refusal in AsciiDoc says how to show text there', async (path, text, words) => {
  expect(await tryChange(antora, path, text)).toContain(words);
});
