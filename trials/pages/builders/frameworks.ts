import type { PackagedReader } from '../builder.ts';
import { asciiDoc } from '../grammars/asciidoc.ts';
import { html, markdownWrappers, mdx, readFrom } from '../grammars/nested-pages.ts';
import { templateWrappers } from '../grammars/nested-templates.ts';
import { vueLive, vueWrappers } from '../grammars/vue.ts';

const index = '# Index\n\n<Part title="x" />\n';

export const frameworks: readonly PackagedReader[] = [
  {
    name: 'antora',
    npm: '@antora/site-generator',
    extension: 'adoc',
    files: { 'docs/antora.yml': 'name: x\nversion: ~\n', 'docs/modules/ROOT/pages/index.adoc': '= Index\n' },
    grammar: (outside) => {
      const { live, ...rest } = asciiDoc(outside);
      const files = readFrom(outside).map((file) => `include::partial$${file}[]`);
      return { ...rest, live: [...live, ...files, 'xref:x"onclick="canary()[y]', 'image::x$y"onerror="canary()[]'] };
    },
  },
  {
    name: 'observable',
    npm: '@observablehq/framework',
    files: { 'observablehq.config.js': 'export default {}\n', 'docs/index.md': '# Index\n' },
    grammar: () => ({
      live: [
        ...html,
        ...['${canary()}', '${canary', '<b title="${canary()}">x</b>', '<b>${canary()}</b>', '$\\{canary()}'],
        ...['js', 'jsx', 'ts', 'js echo', 'js run=true', 'js {run=true}'].map(
          (info) => `\`\`\`${info}\ncanary()\n\`\`\``,
        ),
        ...['html', 'svg', 'tex', 'sql', 'dot'].map((info) => `\`\`\`${info}\n\${canary()}\n\`\`\``),
        '```js run=false\n${canary()}\n```',
      ],
      wrappers: [...markdownWrappers, (text) => `\`\`\`js run=false\n${text}\n\`\`\``, (text) => `\${"${text}"}`],
      heads: ['', '', '---\ntitle: x\n---\n', '---\nheader: <b onclick="canary()">x</b>\n---\n', '---js\n{}\n---\n'],
    }),
  },
  {
    name: 'rspress',
    npm: '@rspress/core',
    extension: 'mdx',
    files: { 'rspress.config.ts': "import { defineConfig } from '@rspress/core';\n", 'docs/index.mdx': index },
    grammar: () => ({
      ...mdx,
      live: [
        ...mdx.live,
        ...[
          '../.env',
          '<root>/.env',
          '/../.env',
          '"../.env"',
          "..'/.env",
          '..\\/.env',
          '&#46;./.env',
          './../&#46;env',
        ].map((file) => `\`\`\`js file=${file}\n\`\`\``),
      ],
      wrappers: [
        ...mdx.wrappers,
        (text) => `:::tip ${text}\nx\n:::`,
        (text) => `:::tip{title="${text}"}\nx\n:::`,
        (text) => `> [!NOTE]\n> ${text}`,
        (text) => `# ${text} {#x}`,
      ],
    }),
  },
  {
    name: 'fumadocs',
    npm: 'fumadocs-mdx',
    extension: 'mdx',
    files: { 'source.config.ts': "import { defineDocs } from 'fumadocs-mdx/config';\n", 'docs/index.mdx': index },
    grammar: (outside) => ({
      ...mdx,
      live: [
        ...mdx.live,
        ...readFrom(outside).flatMap((file) => [
          `<include>${file}</include>`,
          `<include lang="js">${file}</include>`,
          `<include>x.md<b>/../${file}</b></include>`,
          `:include[${file}]`,
          `::include[${file}]{lang="js"}`,
          `:::include\n${file}\n:::`,
        ]),
        '<include>&#46;&#46;/.env</include>',
        '<include>\n  ../.env\n</include>',
      ],
      wrappers: [
        ...mdx.wrappers,
        (text) => `:::warning[${text}]\nx\n:::`,
        (text, mark) => `${mark}js tab="${text}"\nx\n${mark}`,
        (text, mark) => `${mark}npm\n${text}\n${mark}`,
      ],
    }),
  },
  {
    name: 'mintlify',
    npm: '@mintlify/mdx',
    extension: 'mdx',
    files: { 'docs.json': '{ "navigation": {} }\n', 'docs/index.mdx': index },
    grammar: () => ({ ...mdx, wrappers: [...mdx.wrappers, (text) => `# ${text}`, (text) => `"${text}"`] }),
  },
  {
    name: 'nuxt',
    npm: '@nuxtjs/mdc',
    files: { 'nuxt.config.ts': "export default { modules: ['@nuxt/content'] }\n", 'content/index.md': '# Index\n' },
    grammar: () => ({
      live: [
        ...html,
        ...[
          '{{ canary }}',
          '{{ $doc.canary || "x" }}',
          '::canary\n::',
          ':canary',
          ':canary[x]',
          '[x]{onclick="canary()"}',
        ],
        '::note{onclick="canary()"}\nx\n::',
        '::note\n---\nonclick: canary()\n---\nx\n::',
        '::note\n---\n"href": javascript:canary()\n---\nx\n::',
        '```yaml [props]\nonclick: canary()\n```',
        '::note{v-bind=\'{"onclick":"canary()"}\'}\nx\n::',
        '[x](/y){href="javascript:canary()"}',
        '**x**{:onclick="canary()"}',
        '`x`{onclick="canary()"}',
        '![x](y){onerror="canary()"}',
        ':note{to="javascript:canary()"}',
      ],
      wrappers: [
        ...markdownWrappers,
        (text) => `::note\n${text}\n::`,
        (text) => `::note\n#title\n${text}\n::`,
        (text) => `::note{title="${text}"}\nx\n::`,
        (text) => `::note\n---\ntitle: ${text}\n---\n::`,
        (text) => `[${text}]{.x}`,
        (text) => `::note\n\`\`\`yaml [props]\n${text}\n\`\`\`\n::`,
      ],
      heads: ['', '', '---\ntitle: x\n---\n'],
    }),
  },
  {
    name: 'honkit',
    npm: 'honkit',
    files: { 'book.json': '{}\n', 'SUMMARY.md': '# Summary\n\n- [x](docs/index.md)\n', 'docs/index.md': '# Index\n' },
    grammar: (outside) => ({
      live: [
        ...html,
        ...['{{ book.canary }}', '{{ "a" ~ book.canary }}', '{%- set x = book.canary -%}{{ x }}'],
        '{% for x in [book.canary] %}{{ x }}{% endfor %}',
        '{{ range.constructor("return 1")() }}',
        ...readFrom(outside).flatMap((file) => [`{% include "${file}" %}`, `{% import "${file}" as x %}`]),
      ],
      wrappers: [...templateWrappers, ...templateWrappers, ...markdownWrappers],
      heads: ['', '', '---\ntitle: "{{ book.canary }}"\n---\n'],
    }),
  },
  {
    name: 'docsify',
    npm: 'docsify',
    files: {
      'docs/index.html': '<script>window.$docsify = {}</script>\n',
      'docs/_sidebar.md': '',
      'docs/.nojekyll': '',
    },
    grammar: () => ({
      live: [
        ...vueLive,
        ...['[x](.env ":include")', "[x](.env ':include :type=code')", "[x](./.env ':include :type=markdown')"],
        ...[
          '[x](/y \':id=z" onclick="canary()\')',
          '[x](/y \':class=z" onclick="canary()\')',
          "![x](y ':size=1\"onerror=canary()')",
        ],
        "[x](y ':include :type=iframe onload=canary()')",
        "[x](y ':target=\"onclick=canary()')",
        '?> <b onclick="canary()">x</b>',
        '# x :id=y"onclick="canary()',
        '# x <!-- {docsify-ignore} --> <img src=x onerror=canary()>',
      ],
      wrappers: [
        ...vueWrappers,
        (text) => `!> ${text}`,
        (text) => `?> ${text}`,
        (text) => `# ${text} {docsify-ignore}`,
      ],
    }),
  },
];
