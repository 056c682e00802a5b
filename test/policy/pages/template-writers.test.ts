import { expect, test } from 'vitest';
import type { Files } from '../../../harness/memory-files.ts';
import { tryChange } from '../try-change.ts';

const sites = {
  vue: { '.vitepress/config.ts': 'export default {}', 'a.md': '# A\n' },
  jekyll: { '_config.yml': 'title: x\n', '_posts/2026-01-01-a.md': '---\ntitle: x\n---\n' },
  hugo: { 'hugo.toml': '', 'content/a.md': '---\ntitle: x\n---\n' },
  docusaurus: { 'docusaurus.config.js': '', 'docs/a.mdx': '# A\n' },
  mkdocs: { 'mkdocs.yml': 'markdown_extensions: [pymdownx.superfences]\n', 'docs/a.md': '# A\n' },
  sphinx: { 'docs/conf.py': '', 'docs/a.rst': 'A\n=\n' },
  macros: { 'mkdocs.yml': 'plugins: [macros]\nmarkdown_extensions: [pymdownx.superfences]\n', 'docs/a.md': '# A\n' },
} satisfies Record<string, Files>;
const paths = {
  vue: 'b.md',
  jekyll: 'b.md',
  hugo: 'content/b.md',
  docusaurus: 'docs/b.mdx',
  mkdocs: 'docs/b.md',
  sphinx: 'docs/b.rst',
  macros: 'docs/b.md',
};
type Site = keyof typeof sites;

const fence = (language: string, code: string) => `Text.\n\n\`\`\`${language}\n${code}\n\`\`\`\n`;
const workflow = 'env:\n  TOKEN: ${{ secrets.TOKEN }}\n  REF: ${{ github.ref }}';

test.each<[Site, string]>([
  [
    'vue',
    fence(
      'vue',
      '<template>\n  <p>{{ message }}</p>\n</template>\n<script setup>\nconst message = ref("x")\n</script>',
    ),
  ],
  ['vue', fence('html', '<button @click="count++">{{ count }}</button>')],
  [
    'vue',
    fence('vue{2,4} [App.vue]', '<script setup>\nimport A from "./A.vue"\n</script>\n<A v-for="a in b" :key="a" />'),
  ],
  ['vue', 'Bind it with `v-bind:title`, `:title` or `@click`.\n'],
  ['vue', '<span v-pre>{{ message }}</span> shows the message.\n'],
  ['vue', 'Text.\n\n::: v-pre\nWrite {{ message }}.\n:::\n'],
  ['vue', '::: details Example\n```vue\n<p>{{ x }}</p>\n```\n:::\n'],
  ['vue', '- Use the `<script setup>` block:\n\n  ```vue\n  <script setup>\n  </script>\n  ```\n'],
  ['vue', '# \\<script setup>\n\nThe `<script setup>` block, and `<template>`.\n'],
  ['vue', '| Directive | Use |\n| --- | --- |\n| `v-if` | shows |\n| `v-model` | binds |\n'],
  ['vue', fence('yaml', workflow).replace('yaml', 'yaml')],
  [
    'sphinx',
    'Use ``{{ x }}`` and ``{% if x %}``.\n\n.. code-block:: jinja\n\n   {% for a in b %}{{ a|e }}{% endfor %}\n',
  ],
  ['sphinx', 'The filter ``|safe``::\n\n   {{ body|safe }}\n'],
  ['sphinx', '.. code-block:: yaml\n\n   - name: x\n     when: "{{ a }} == 1"\n'],
  ['sphinx', '.. code-block:: yaml\n\n   env:\n     A: ${{ secrets.A }}\n'],
  ['mkdocs', fence('jinja', '{% extends "base.html" %}\n{{ super() }}')],
  ['mkdocs', 'Write `{{ page.title }}` or `{% block x %}`.\n'],
  ['mkdocs', '=== "Template"\n\n    ```html\n    <p>{{ x }}</p>\n    ```\n'],
  ['mkdocs', fence('yaml', workflow)],
  ['mkdocs', '1. Add this:\n\n    ```yaml\n    on: push\n    env: ${{ vars.X }}\n    ```\n'],
  ['mkdocs', '!!! note\n    Use `${{ github.sha }}`.\n'],
  ['mkdocs', fence('go', 'template.Must(template.New("x").Parse(`{{ .Name }}`))')],
  ['macros', `{% raw %}\n${fence('jinja', '{{ x.y }}')}{% endraw %}\n`],
  ['macros', '{% raw %}`${{ secrets.A }}`{% endraw %}\n'],
  ['jekyll', `{% raw %}\n${fence('liquid', '{% for a in site.posts %}{{ a.title }}{% endfor %}')}{% endraw %}\n`],
  ['jekyll', '{% raw %}`{{ page.title | upcase }}`{% endraw %} shows the title.\n'],
  ['jekyll', '{% highlight html %}{% raw %}<p>{{ x }}</p>{% endraw %}{% endhighlight %}\n'],
  ['jekyll', '{% raw %}\n```yaml\nrun: ${{ secrets.A }}\n```\n{% endraw %}\n'],
  ['jekyll', 'A [link]({% link _posts/2026-01-01-a.md %}) and {{ "/x" | relative_url }}.\n'],
  ['jekyll', fence('json', '{ "a": { "b": 1 } }')],
  ['hugo', fence('go-html-template', '{{ range .Pages }}\n  <a href="{{ .Permalink }}">{{ .Title }}</a>\n{{ end }}')],
  ['hugo', fence('go-html-template', '{{ with .Params.x }}{{ . }}{{ end }}\n{{ partial "a.html" . }}')],
  ['hugo', 'Call `{{ .Title }}` in a template.\n'],
  ['hugo', fence('text', '{{</* figure src="a.png" */>}}')],
  ['hugo', 'Use `{{</* ref "a.md" */>}}`.\n'],
  ['hugo', '{{< highlight go-html-template >}}\n{{ .Content }}\n{{< /highlight >}}\n'],
  ['hugo', fence('yaml', workflow)],
  ['hugo', fence('html', '<script>\nconst x = {{ .Site.Params | jsonify }};\n</script>')],
  ['hugo', '> [!NOTE]\n> Use `{{ .Site.Title }}`.\n'],
  ['hugo', '- Write `{{- trim -}}`\n- or `{{/* comment */}}`\n'],
  [
    'docusaurus',
    fence(
      'jsx {1,3-4} title="App.jsx"',
      'export default function App() {\n  return <b onClick={() => x()}>{y}</b>;\n}',
    ),
  ],
  ['docusaurus', fence('tsx', "import { useState } from 'react';\nconst [a, setA] = useState<number>(0);")],
  ['docusaurus', 'Pass `props.children` and `{value}` to `<App />`.\n'],
  ['docusaurus', ':::tip\n```jsx\n<App {...props} />\n```\n:::\n'],
  ['docusaurus', '1. Add it:\n\n   ```jsx\n   <App a={b} />\n   ```\n\n2. Run it.\n'],
  ['docusaurus', '| Prop | Type |\n| --- | --- |\n| `a` | `{ b: string }` |\n| `c` | `Array<string>` |\n'],
  ['docusaurus', fence('yaml', workflow)],
  ['docusaurus', 'Write `${{ secrets.TOKEN }}`, or \\{value} and \\<App>.\n'],
  ['docusaurus', fence('vue', '<p :title="x">{{ y }}</p>')],
  ['docusaurus', '<details>\n<summary>Example</summary>\n\n```jsx\n<App>{x}</App>\n```\n\n</details>\n'],
  ['docusaurus', '{/* A comment about <App> */}\n\nText.\n'],
])('%s: a writer of templates may write %j', async (site, text) => {
  expect(await tryChange(sites[site], paths[site], text)).toBeUndefined();
});

/** The refusal names the way out, and the way out is accepted. */
test.each<[Site, string, string, string]>([
  ['vue', 'Write {{ message }}.\n', 'v-pre', 'Write <span v-pre>{{ message }}</span>.\n'],
  ['vue', 'Write `{{ message }}`.\n', 'v-pre', 'Write <code v-pre>{{ message }}</code>.\n'],
  [
    'jekyll',
    fence('liquid', '{{ page.title }}'),
    '{% raw %}',
    `{% raw %}\n${fence('liquid', '{{ page.title }}')}{% endraw %}\n`,
  ],
  ['jekyll', fence('yaml', workflow), '{% raw %}', `{% raw %}\n${fence('yaml', workflow)}{% endraw %}\n`],
  ['macros', '`{{ config.x }}`\n', '{% raw %}', '{% raw %}`{{ config.x }}`{% endraw %}\n'],
  ['hugo', fence('text', '{{< tabs >}}'), '{{</* name */>}}', fence('text', '{{</* tabs */>}}')],
  ['docusaurus', 'Write {value}.\n', '\\{', 'Write \\{value}.\n'],
  ['docusaurus', 'Use <App>.\n', '\\<', 'Use \\<App>.\n'],
  ['docusaurus', 'Set ${{ secrets.A }}.\n', 'inline code', 'Set `${{ secrets.A }}`.\n'],
])('%s: %j is refused with what to write instead', async (site, text, told, instead) => {
  expect(await tryChange(sites[site], paths[site], text)).toContain(told);
  expect(await tryChange(sites[site], paths[site], instead)).toBeUndefined();
});
