import { expect, test } from 'vitest';
import { type Files, listProblems } from './support/check-files.ts';
import { rowsOf } from './support/rows-of.ts';

const mdbook = (text: string): Files => ({
  'book.toml': '',
  'src/SUMMARY.md': '[Home](index.md)\n',
  'src/index.md': text,
  'listings/main.rs': '// ANCHOR: here\nfn main() {}\n// ANCHOR_END: here\n',
});
const vitepress = (text: string): Files => ({
  'docs/.vitepress/config.ts': '',
  'docs/index.md': text,
  'docs/snippets/a.ts': '// #region setup\nlet a = 1;\n// #endregion setup\n',
  'docs/parts/b.md': '## Set it up\n\ntext\n',
});
const mkdocs = (text: string): Files => ({
  'mkdocs.yml': '',
  'docs/index.md': text,
  'docs/code/a.py': '# --8<-- [start:setup]\na = 1\n# --8<-- [end:setup]\n',
});
const sphinx = (options: string): Files => ({
  'docs/conf.py': '',
  'docs/index.rst': `Home\n====\n\n.. literalinclude:: code/a.py\n${options}`,
  'docs/code/a.py': 'class Timer:\n    def start(self):\n        pass\n\n# setup\n',
});
const antora = (attributes: string): Files => ({
  'antora.yml': 'name: acme\nversion: 1\nnav: [modules/ROOT/nav.adoc]\n',
  'modules/ROOT/nav.adoc': '* xref:index.adoc[Home]\n',
  'modules/ROOT/pages/index.adoc': `= Home\n\n----\ninclude::example$a.yml[${attributes}]\n----\n`,
  'modules/ROOT/examples/a.yml': '# tag::setup[]\na: 1\n# end::setup[]\n',
});

test.each(
  rowsOf<{ base: Files; change: [file: string, text: string]; problems: string[] }>({
    'an anchor of a listing of mdBook': {
      base: mdbook('# Home\n\n```rust\n{{#rustdoc_include ../listings/main.rs:here}}\n```\n'),
      change: ['listings/main.rs', 'fn main() {}\n'],
      problems: ['should excerpt src/index.md:4 listings/main.rs has no region or tag here, which this page shows'],
    },
    'lines of a listing of mdBook': {
      base: mdbook('# Home\n\n{{#include ../listings/main.rs:3:4}}\n'),
      change: ['listings/main.rs', 'fn main() {}\n'],
      problems: ['should excerpt src/index.md:3 listings/main.rs has no line 3, which this page shows'],
    },
    'a region of a snippet of VitePress': {
      base: vitepress('# Home\n\n<<< @/snippets/a.ts#setup{1}\n'),
      change: ['docs/snippets/a.ts', 'let a = 1;\n'],
      problems: ['should excerpt docs/index.md:3 docs/snippets/a.ts has no region or tag setup, which this page shows'],
    },
    'a section of a page of VitePress': {
      base: vitepress('# Home\n\n<!--@include: ./parts/b.md#set-it-up-->\n'),
      change: ['docs/parts/b.md', '## Start\n\ntext\n'],
      problems: [
        'should excerpt docs/index.md:3 docs/parts/b.md has no region or tag set-it-up, which this page shows',
      ],
    },
    'a section of a snippet of MkDocs, in code': {
      base: mkdocs('# Home\n\n```py\n--8<-- "docs/code/a.py:setup"\n```\n'),
      change: ['docs/code/a.py', 'a = 1\n'],
      problems: ['should excerpt docs/index.md:4 docs/code/a.py has no region or tag setup, which this page shows'],
    },
    'a function of Python': {
      base: sphinx('   :pyobject: Timer.start\n'),
      change: ['docs/code/a.py', 'class Timer:\n    def begin(self):\n        pass\n'],
      problems: [
        'should excerpt docs/index.rst:4 docs/code/a.py has no class or function Timer.start, which this page shows',
      ],
    },
    'the line behind which an excerpt of Sphinx begins': {
      base: sphinx('   :start-after: # setup\n'),
      change: ['docs/code/a.py', 'a = 1\n'],
      problems: ['should excerpt docs/index.rst:4 docs/code/a.py has no line with # setup, which this page shows'],
    },
    'a tag of AsciiDoc': {
      base: antora('tag=setup'),
      change: ['modules/ROOT/examples/a.yml', 'a: 1\n'],
      problems: [
        'should excerpt modules/ROOT/pages/index.adoc:4 modules/ROOT/examples/a.yml has no region or tag setup, which this page shows',
      ],
    },
  }),
)('$name that a change takes away is told at the page', ({ base, change: [file, text], problems }) => {
  expect(listProblems(base, { [file]: `${base[file]}\n` })).toEqual([]);
  expect(listProblems(base, { [file]: text })).toEqual(problems);
});

test.each(
  rowsOf<{ files: Files }>({
    'all tags but one': { files: antora('tags=**;!setup') },
    'an escaped include': { files: mdbook('\\{{#include ../listings/main.rs:none}}\n') },
    'an example of an include': { files: vitepress('<<< @/filepath#region\n') },
    'a file whose text is not read': { files: { ...mkdocs('--8<-- "a.bin:none"\n'), 'a.bin': '' } },
  }),
)('$name is no problem', ({ files }) => {
  expect(listProblems({}, files).filter((problem) => problem.includes('excerpt'))).toEqual([]);
});
