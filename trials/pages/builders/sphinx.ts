import type { Builder } from '../builder.ts';
import { markdown, markdownWrappers, type PageGrammar, readFrom } from '../grammars/nested-pages.ts';
import { reStructuredText } from '../grammars/restructuredtext.ts';

/** One page that Sphinx cannot read would end the build of all: such a page is left out. */
const configuration = (extensions: string) => `import pathlib, sys
from docutils.utils import new_document
from sphinx.builders import Builder
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import BuildEnvironment
sys.path.insert(0, str(pathlib.Path(__file__).parent))
extensions = [${extensions}]
myst_enable_extensions = ['substitution', 'colon_fence', 'deflist', 'attrs_image', 'html_image', 'dollarmath', 'fieldlist', 'attrs_inline', 'attrs_block', 'html_admonition', 'linkify', 'tasklist', 'amsmath']
secret = (pathlib.Path(__file__).parent.parent / '.env').read_text()
html_context = {'canary': secret}
html_theme = 'basic'
html_copy_source = False
html_use_index = False
exclude_patterns = ['_build']
suppress_warnings = ['*']

def setup(app):
    replace(Builder, 'read_doc', leave_out)
    replace(BuildEnvironment, 'get_and_resolve_doctree', lambda *_: new_document(''))
    replace(StandaloneHTMLBuilder, 'write_doc', lambda *_: None)

def leave_out(builder, name, read):
    pathlib.Path(builder.env.doc2path(name)).write_text('')
    read(builder, name)

def replace(owner, name, instead):
    work = getattr(owner, name)
    def attempt(*arguments, **options):
        try:
            return work(*arguments, **options)
        except Exception:
            return instead(*arguments, work)
    setattr(owner, name, attempt)
`;

const create = (
  name: 'sphinx' | 'myst',
  grammar: Builder['grammar'],
  { extension, extensions }: { extension: 'rst' | 'md'; extensions: string },
): Builder => ({
  name,
  install: `apt-get install python3-sphinx${name === 'myst' ? ' python3-myst-parser' : ''}`,
  probe: ['/usr/bin/python3', '-c', `import sphinx${name === 'myst' ? ', myst_parser' : ''}`],
  files: { 'docs/conf.py': configuration(extensions), [`docs/index.${extension}`]: 'Index\n=====\n' },
  extension,
  grammar,
  build: (folder) => [
    '/usr/bin/python3',
    '-m',
    'sphinx',
    '-q',
    '-b',
    'html',
    '-d',
    `${folder}/doctrees`,
    `${folder}/docs`,
    `${folder}/docs/_build`,
  ],
  output: (page) => `docs/_build/${page}.html`,
  site: 'docs/_build',
});

const myst = (outside: string): PageGrammar => {
  const files = readFrom(outside);
  const rst = reStructuredText(outside);
  return {
    live: [
      ...markdown.live,
      '{{ env.config.html_context }}',
      '{{ env.config.secret }}',
      '```{raw} html\n<script>canary()</script>\n```',
      ':::{raw} html\n<script>canary()</script>\n:::',
      '```{image} x.png\n:target: javascript:canary()\n```',
      '```{figure} x.png\n---\n"target": "java\\x73cript:canary()"\n---\n```',
      '```{toctree}\njavascript://%0acanary()\n```',
      '```{code-block} python\n:caption: <b onclick="canary()">x</b>\nx\n```',
      '```{eval-rst}\n.. raw:: html\n\n   <script>canary()</script>\n```',
      ...files.flatMap((file) => [
        `\`\`\`{include} ${file}\n\`\`\``,
        `:::{include} ${file}\n:::`,
        `\`\`\`{literalinclude} ${file}\n\`\`\``,
        `\`\`\`{csv-table}\n---\nfile: ${file}\n---\n\`\`\``,
        `\`\`\`{csv-table}\n:file: ${file}\n\`\`\``,
        `\`\`\`{image} ${file}\n\`\`\``,
        `\`\`\`{figure} ${file}\n\`\`\``,
        `{download}\`x <${file}>\``,
        `{download}\`\`x\n<${file}>\`\``,
        `<path:${file}>`,
        `[x](path:${file})`,
        `\`\`\`{csv-table}\n---\n{file: ${file}}\n---\n\`\`\``,
        `\`\`\`{csv-table}\n---\n<<: {"fi\\x6ce": ${file}}\n---\n\`\`\``,
        `![x](${file})`,
        `[x](${file})`,
        `<img src="${file}">`,
        `[x]: ${file}\n\n![x]`,
        `\`\`\`{eval-rst}\n.. include:: ${file}\n\`\`\``,
      ]),
    ],
    wrappers: [
      ...markdownWrappers,
      (text, mark) => `${mark}{note}\n${text}\n${mark}`,
      (text, mark) => `${mark}{admonition} x\n:class: y\n${text}\n${mark}`,
      (text, mark) => `${mark}{NOTE}\n\n${text}\n${mark}`,
      (text) => `:::{note}\n${text}\n:::`,
      (text) => `::::{tip}\n${text}\n::::`,
      (text, mark) => `${mark}{code-block} python\n${text}\n${mark}`,
      (text, mark) => `${mark}{code}\n${text}\n${mark}`,
      (text, mark) => `${mark}{parsed-literal}\n${text}\n${mark}`,
      (text, mark) => `${mark}{list-table}\n* - ${text.replaceAll('\n', '\n    ')}\n${mark}`,
      (text, mark) => `${mark}{figure} x.png\n${text}\n${mark}`,
      (text, mark) => `${mark}{csv-table}\n\`a, ${text}, b\`\n${mark}`,
      (text) => `:::{parsed-literal}\n${text}\n:::`,
      (text) => `% ${text}`,
      (text) => `{sub}\`${text}\``,
      (text) => `:field: ${text}`,
    ],
    heads: [
      '',
      '',
      '',
      '---\nx: y\n---\n\n',
      `---\nmyst:\n  substitutions:\n    a: "{{ env.config.secret }}"\n---\n{{ a }}\n`,
      `---\nsubstitutions:\n  a: |\n    ${rst.live[0]}\n---\n{{ a }}\n`,
    ],
  };
};

const extensions = "'sphinx.ext.autodoc', 'sphinx.ext.graphviz', 'sphinx.ext.ifconfig', 'sphinx.ext.extlinks'";

export const sphinx: readonly Builder[] = [
  create('sphinx', reStructuredText, { extension: 'rst', extensions }),
  create('myst', myst, { extension: 'md', extensions: `${extensions}, 'myst_parser'` }),
];
