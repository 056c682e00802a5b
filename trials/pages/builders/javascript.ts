import { join } from 'node:path';
import type { Builder, PackagedReader } from '../builder.ts';
import { asciiDoc } from '../grammars/asciidoc.ts';
import { html, markdownWrappers, mdx, readFrom } from '../grammars/nested-pages.ts';
import { templateWrappers } from '../grammars/nested-templates.ts';
import { vueLive, vueWrappers } from '../grammars/vue.ts';
import { frameworks } from './frameworks.ts';

const script = join(import.meta.dirname, 'batch.mjs');

/** Readers that npm has, from a folder where they are installed. */
export const listJavaScriptBuilders = (packages: string): Builder[] =>
  [...readers, ...frameworks].map(({ npm, ...reader }) => ({
    ...reader,
    install: `npm install --prefix ${packages || 'DIR'} ${npm}, and --packages ${packages || 'DIR'}`,
    probe: [process.execPath, script, reader.name, '', packages],
    build: (folder) => [process.execPath, script, reader.name, folder, packages],
    output: (page) => `docs/${page}.html`,
  }));

const readers: readonly PackagedReader[] = [
  {
    name: 'vitepress',
    npm: 'vitepress',
    files: { '.vitepress/config.ts': 'export default {}\n', 'index.md': '# Index\n', 'docs/part.md': 'part\n' },
    grammar: (outside) => ({
      live: [
        ...vueLive,
        ...readFrom(outside).flatMap((file) => [`<<< ${file}`, `<<< ${file}{js}`, `<<< ${file}#x [y]`]),
        '<<< @/.env',
        '<<< @/docs/../.env',
      ],
      wrappers: vueWrappers,
    }),
  },
  {
    name: 'vuepress',
    npm: '@vuepress/markdown',
    files: { '.vuepress/config.ts': 'export default {}\n', 'docs/index.md': '# Index\n' },
    grammar: (outside) => ({
      live: [
        ...vueLive,
        ...readFrom(outside).flatMap((file) => [
          `@[code](${file})`,
          `@[code{1-2} js](${file})`,
          `@[code](@x/../${file})`,
        ]),
      ],
      wrappers: vueWrappers,
    }),
  },
  {
    name: 'mdsvex',
    npm: 'mdsvex',
    files: { 'svelte.config.js': "import { mdsvex } from 'mdsvex'\n", 'docs/index.md': '# Index\n' },
    grammar: () => ({
      live: [
        ...html,
        '{canary()}',
        '{@html canary()}',
        '{#if canary()}x{/if}',
        '{#each [canary()] as x}{x}{/each}',
        '&#123;canary()}',
        '<b title={canary()}>x</b>',
        '<b title="a {canary()}">x</b>',
        '<b {...canary()}>x</b>',
        '<b use:canary>x</b>',
        '<b on:click={canary}>x</b>',
        '<svelte:head>{canary()}</svelte:head>',
        '<Canary />',
      ],
      wrappers: [
        ...markdownWrappers,
        (text) => `{#if true}\n\n${text}\n\n{/if}`,
        (text) => `{"${text}"}`,
        (text) => `{/* ${text} */}`,
        (text) => `<b title="${text}">x</b>`,
      ],
    }),
  },
  {
    name: 'liquid',
    npm: 'liquidjs',
    files: { 'eleventy.config.js': '', 'docs/index.md': '# Index\n' },
    grammar: () => ({
      live: [
        ...html,
        '{{ canary }}',
        '{%- assign x = canary -%}{{ x }}',
        "{% include '.env' %}",
        "{% render '.env' %}",
        "{% layout '.env' %}",
        '{% echo canary %}',
        '{% liquid\necho canary %}',
        '{% for x in canary %}{{ x }}{% endfor %}',
        '{{ "a" | append: canary }}',
      ],
      wrappers: [...templateWrappers, ...templateWrappers, ...markdownWrappers],
    }),
  },
  {
    name: 'nunjucks',
    npm: 'nunjucks',
    files: { 'eleventy.config.js': '', 'docs/index.md': '# Index\n' },
    grammar: () => ({
      live: [
        ...html,
        '{{ canary }}',
        '{%- set x = canary -%}{{ x }}',
        '{% include ".env" %}',
        '{% import ".env" as x %}',
        '{% for x in [canary] %}{{ x }}{% endfor %}',
        '{{ range.constructor("return 1")() }}',
      ],
      wrappers: [...templateWrappers, ...templateWrappers, ...markdownWrappers],
    }),
  },
  {
    name: 'eleventy',
    npm: '@11ty/eleventy',
    files: { 'eleventy.config.js': '', 'docs/index.md': '# Index\n', 'docs/_includes/canary.html': '{{ canary }}' },
    grammar: () => ({
      live: [
        ...html,
        '{{ canary }}',
        '{%- assign x = canary -%}{{ x }}',
        "{% include 'canary.html' %}",
        "{% renderFile './docs/_includes/canary.html' %}",
        '{% liquid\necho canary %}',
        '{{ "a" | append: canary }}',
      ],
      wrappers: [...templateWrappers, ...templateWrappers, ...markdownWrappers],
      heads: [
        '',
        '',
        '---\ntitle: x\n---\n\n',
        '---\ntitle: "{{ canary }}"\n---\n{{ title }}\n',
        '---\nlayout: canary.html\n---\n',
        '---js\n{ title: "x" }\n---\n',
        '---\npermalink: ../eleventy.config.js\n---\n',
        '---\npermalink: "/../../x.html"\n---\n',
        '---\npermalink: "x/{{ canary }}/"\n---\n',
        '---\ntemplateEngineOverride: njk\n---\n',
        '---\neleventyComputed:\n  title: "{{ canary }}"\n---\n',
        '---\npagination: { data: canary, size: 1, alias: x }\n---\n{{ x }}\n',
      ],
    }),
  },
  {
    name: 'mdx',
    npm: '@mdx-js/mdx',
    extension: 'mdx',
    files: {
      'docusaurus.config.js': 'import math from "remark-math"\n',
      'docs/index.mdx': '# Index\n\n<Part title="x" />\n',
    },
    grammar: () => mdx,
  },
  {
    name: 'docusaurus-mdx',
    npm: '@slorber/remark-comment',
    extension: 'mdx',
    files: {
      'docusaurus.config.js': 'import math from "remark-math"\n',
      'docs/index.mdx': '# Index\n\n<Part title="x" />\n',
    },
    grammar: () => ({
      ...mdx,
      wrappers: [
        ...mdx.wrappers,
        (text) => `:::note\n${text}\n:::`,
        (text) => `# ${text} {#x}`,
        (text, mark) => `${mark}mdx-code-block\n${text}\n${mark}`,
        (text) => `<!--\n\`\`\`\n-->\n${text}\n\n<!--\n\`\`\`\n-->`,
      ],
      heads: ['', '', '---\ntitle: x\n---\n\n', '---\na: b\n---x\n\n', '---\nmdx: {format: md}\n---\n'],
    }),
  },
  {
    name: 'markdoc',
    npm: '@markdoc/markdoc',
    extension: 'mdoc',
    files: {
      'docs/index.mdoc': '{% callout title="x" %}\nIndex\n{% /callout %}\n',
      'markdoc.config.mjs': 'export default {}\n',
    },
    grammar: () => ({
      live: [
        '{% $canary %}',
        '{% canary() %}',
        '# x {% title=$canary %}',
        '[x](y){% title=canary() %}',
        '{% callout title=$canary /%}',
        '![{% $canary %}](x)',
        '[x](y){% href="javascript:canary()" %}',
        '{% #a b="%}" title=$canary %}',
        // These only show.
        ...[
          '$canary',
          'canary()',
          '{ % $canary % }',
          '# x {% .a #b %}',
          '[x](y){% title="canary" %}',
          '{% callout /%}',
        ],
        ...['<b>$canary</b>', '[canary](/y)', '{% callout title="%}" /%}', '{% ', ' %}', '{% "canary" %}'],
      ],
      wrappers: [
        ...markdownWrappers,
        (text, mark) => `${mark}js {% process=false %}\n${text}\n${mark}`,
        (text) => `{% callout %}\n${text}\n{% /callout %}`,
        (text) => `{% callout title="${text}" %}x{% /callout %}`,
        (text) => `{% callout title="\\${text}" /%}`,
        (text) => `{% table %}\n* a\n---\n* ${text}\n{% /table %}`,
        (text) => `# ${text} {% .a %}`,
      ],
    }),
  },
  {
    name: 'asciidoctor-js',
    npm: '@asciidoctor/core',
    files: { 'docs/index.adoc': '= Index\n' },
    extension: 'adoc',
    grammar: (outside) => asciiDoc(outside),
  },
];
