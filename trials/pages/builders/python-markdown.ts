import { join } from 'node:path';
import type { Builder } from '../builder.ts';
import { html, markdown, markdownWrappers, type PageGrammar, readFrom } from '../grammars/nested-pages.ts';
import { templateWrappers } from '../grammars/nested-templates.ts';

const script = join(import.meta.dirname, 'batch.py');
const install = 'apt-get install python3-markdown python3-pymdownx python3-jinja2';

const snippets = (outside: string): string[] =>
  readFrom(outside).flatMap((path) => [`--8<-- "${path}"`, `--8<--\n${path}\n--8<--`, `-8<- '${path}'`]);

const create = (name: string, mkdocs: string, grammar: Builder['grammar']): Builder => ({
  name: `python-${name}`,
  install,
  probe: ['/usr/bin/python3', '-c', 'import markdown, pymdownx, jinja2; print(markdown.__version__)'],
  files: { 'mkdocs.yml': mkdocs, 'docs/index.md': '# Index\n' },
  grammar,
  build: (folder) => ['/usr/bin/python3', script, name, folder],
  output: (page) => `docs/${page}.html`,
});

const superfences = `markdown_extensions: [attr_list, def_list, footnotes, md_in_html, admonition, pymdownx.superfences, pymdownx.details,
  pymdownx.tabbed, pymdownx.inlinehilite, pymdownx.snippets, pymdownx.tilde, pymdownx.tasklist, pymdownx.magiclink]\n`;

const jinja: PageGrammar = {
  live: [
    ...html,
    '{{ canary }}',
    '{{ config.x }}',
    '{%- set x = canary -%}{{ x }}',
    '{% include ".env" %}',
    '{% filter upper %}{{ canary|lower }}{% endfilter %}',
    '{% for x in [canary] %}{{ x }}{% endfor %}',
    '{% print(canary) %}',
  ],
  wrappers: [...templateWrappers, ...templateWrappers, ...markdownWrappers],
};

export const pythonMarkdown: readonly Builder[] = [
  create('markdown', 'site_name: x\n', () => markdown),
  create('extra', 'markdown_extensions: [extra, admonition, attr_list, meta, smarty, wikilinks]\n', () => markdown),
  create('superfences', superfences, (outside) => ({ ...markdown, live: [...markdown.live, ...snippets(outside)] })),
  create('jinja', 'plugins: [macros]\n', () => jinja),
];
