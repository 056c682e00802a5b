import type { Builder } from '../builder.ts';
import { html, markdown, markdownWrappers, readFrom } from '../grammars/nested-pages.ts';

export const hugo: Builder = {
  name: 'hugo',
  install: 'apt-get install hugo',
  probe: ['hugo', 'version'],
  files: {
    'hugo.toml':
      'title = "x"\nbaseURL = "https://docs.example/"\ncontentDir = "docs"\ndisableKinds = ["taxonomy", "term", "RSS", "sitemap"]\n[markup.goldmark.renderer]\nunsafe = true\n[markup.goldmark.parser.attribute]\nblock = true\n',
    'docs/_index.md': '# Index\n',
    'layouts/_default/single.html': '{{ .Content }}\n',
    'layouts/_default/list.html': '{{ .Content }}\n',
    'layouts/_default/canary.html': '{{ site.Params.canary }}{{ readFile ".env" }}\n',
    'layouts/shortcodes/canary.html': '{{ readFile ".env" }}\n',
    'layouts/shortcodes/read.html': '{{ readFile (.Get 0) }}\n',
  },
  grammar: (outside) => ({
    live: [
      ...html,
      ...markdown.live,
      '{{< canary >}}',
      '{{% canary %}}',
      '{{<canary/>}}',
      '{{< canary "a" >}}x{{< /canary >}}',
      ...readFrom(outside).map((file) => `{{< read "${file}" >}}`),
      '{{< figure src="x" link="javascript:canary()" >}}',
      '{{< figure src="x" caption="\\x3cscript>canary()</script>" >}}',
      '{{< figure src="x" title="\\u003cscript\\u003ecanary()\\u003c/script\\u003e" >}}',
      '{{< highlight html "linenos=table,onclick=canary()" >}}x{{< /highlight >}}',
      '# x {onclick="canary()"}',
      'x\n{onclick="canary()"}',
      '```js {onclick="canary()"}\nx\n```',
    ],
    wrappers: [
      ...markdownWrappers,
      (text) => text.replaceAll('{{<', '{{</*').replaceAll('>}}', '*/>}}'),
      (text) => text.replaceAll('{{<', '{{</* '),
      (text) => `{{/* ${text} */}}`,
      (text) => `{{< highlight go >}}\n${text}\n{{< /highlight >}}`,
      (text) => `{{< figure src="${text}" >}}`,
      (text) => `{{< details >}}${text}{{< /details >}}`,
    ],
    heads: [
      '',
      '---\ntitle: x\n---\n\n',
      '+++\ntitle = "x"\n+++\n',
      '---\nlayout: canary\n---\n',
      '+++\nlayout = "canary"\n+++\n',
      '{\n"layout": "canary"\n}\n',
    ],
  }),
  build: (folder) => ['hugo', '--quiet', '--source', folder, '--destination', `${folder}/public`],
  output: (page) => `public/${page}/index.html`,
  site: 'public',
};
