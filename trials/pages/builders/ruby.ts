import { join } from 'node:path';
import type { Builder } from '../builder.ts';
import { asciiDoc } from '../grammars/asciidoc.ts';
import { html, markdown, markdownWrappers, readFrom } from '../grammars/nested-pages.ts';
import { templateWrappers } from '../grammars/nested-templates.ts';

const script = join(import.meta.dirname, 'batch.rb');

export const asciidoctor: Builder = {
  name: 'asciidoctor',
  install: 'apt-get install asciidoctor',
  probe: ['asciidoctor', '--version'],
  files: { 'docs/index.adoc': '= Index\n', 'docs/docinfo.html': '<!-- from docinfo -->\n' },
  extension: 'adoc',
  grammar: asciiDoc,
  build: (folder) => ['ruby', script, 'asciidoctor', folder],
  output: (page) => `docs/${page}.html`,
};

const createKramdown = (name: 'kramdown' | 'gfm', install: string, configuration: string): Builder => ({
  name: name === 'gfm' ? 'kramdown-gfm' : name,
  install,
  probe: [
    'ruby',
    '-rkramdown',
    name === 'gfm' ? '-rkramdown-parser-gfm' : '-rkramdown',
    '-e',
    'puts Kramdown::VERSION',
  ],
  files: { '_config.yml': configuration, 'docs/index.md': '# Index\n' },
  grammar: () => ({
    live: [
      ...markdown.live,
      '{::nomarkdown}\n<script>canary()</script>\n{:/}',
      '{::nomarkdown}<script>canary()</script>{:/}',
    ],
    wrappers: markdownWrappers,
  }),
  build: (folder) => ['ruby', script, name, folder],
  output: (page) => `docs/${page}.html`,
});

export const kramdown: readonly Builder[] = [
  createKramdown('kramdown', 'apt-get install ruby-kramdown', 'kramdown: { input: kramdown }\n'),
  createKramdown('gfm', 'apt-get install ruby-kramdown-parser-gfm', 'title: x\n'),
];

export const jekyll: Builder = {
  name: 'jekyll',
  install: 'apt-get install jekyll',
  probe: ['jekyll', '--version'],
  files: {
    '_config.yml': 'title: x\ncanary: "@canary@"\nliquid: { error_mode: lax }\nplugins: []\n',
    'docs/index.md': '---\n---\n# Index\n',
    '_layouts/canary.html': '{{ site.canary }}{{ content }}',
    '_includes/canary.html': '{{ site.canary }}',
  },
  grammar: (outside) => ({
    live: [
      ...html,
      '{{ site.canary }}',
      '{{ site["canary"] }}',
      '{{ "x" | append: site.canary }}',
      '{% include canary.html %}',
      '{%- assign x = site.canary -%}{{ x }}',
      '{% capture x %}{{ site.canary }}{% endcapture %}{{ x }}',
      '{% for x in site %}{{ x }}{% endfor %}',
      '{{ site | jsonify }}',
      ...readFrom(outside).map((file) => `{% include_relative ${file} %}`),
    ],
    wrappers: [...templateWrappers, ...markdownWrappers],
    heads: [
      '---\n---\n',
      '---\ntitle: x\n---\n\n',
      '---\ntitle: "{{ site.canary }}"\n---\n\n',
      '---\nlayout: canary\n---\n',
      '---\nLayout: canary\nlayout : canary\n---\n',
    ],
  }),
  build: (folder) => [
    'jekyll',
    'build',
    '--quiet',
    '--source',
    folder,
    '--destination',
    `${folder}/_site`,
    '--disable-disk-cache',
  ],
  output: (page) => `_site/docs/${page}.html`,
  site: '_site',
};
