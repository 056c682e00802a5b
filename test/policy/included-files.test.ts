import { expect, test } from 'vitest';
import type { Files } from '../../harness/memory-files.ts';
import { tryChange } from './try-change.ts';

const book = {
  'book.toml': '',
  'src/SUMMARY.md': '- [One](one.md)\n',
  'src/one.md': '```rust\n{{#rustdoc_include ../listings/ch01/src/main.rs:here}}\n```\n',
  'listings/ch01/src/main.rs': 'fn main() {}\n',
  'listings/ch01/Cargo.toml': '[package]\nname = "x"\n',
  'tools/Cargo.toml': '[[bin]]\npath = "src/main.rs"\n',
} satisfies Files;
const fastApi = {
  'docs/en/mkdocs.yml': 'site_name: x\nhooks: [../../docs_src/links/hello.py]\n',
  'docs/en/docs/a.md':
    '{* ../../docs_src/first/tutorial001.py hl[1] *}\n{* ../../docs_src/links/hello.py *}\n{* ../../docs_src/first/test_tutorial.py *}\n',
  'docs_src/first/tutorial001.py': 'app = 1\n',
  'docs_src/links/hello.py': 'app = 1\n',
  'docs_src/first/test_tutorial.py': 'app = 1\n',
} satisfies Files;
const sphinx = {
  'docs/conf.py': '',
  'docs/index.rst':
    '.. csv-table::\n   :file: tables/a.csv\n\n.. literalinclude:: ../deploy/all.yaml\n.. include:: b.inc\n',
  'docs/tables/a.csv': 'a,b\n',
  'docs/b.inc': 'x\n',
  'deploy/all.yaml': 'a: 1\n',
} satisfies Files;
const mkdocs = {
  'mkdocs.yml': 'markdown_extensions: [pymdownx.snippets]\n',
  'docs/a.md': '--8<-- "_snippets/a.json"\n\n--8<-- "_snippets/b.json"\n',
  'docs/_snippets/a.json': '{"a": 1}\n',
  'docs/_snippets/b.json': '{"a": 1}\n',
  'docs/_snippets/c.json': '{"a": 1}\n',
  'scripts/check.py': 'open("b.json")\n',
} satisfies Files;
const vitepress = {
  '.vitepress/config.ts': '',
  'a.md': '<<< @/snippets/a.ts\n<<< @/snippets/a.json{2}\n',
  'snippets/a.ts': 'export const a = 1\n',
  'snippets/a.json': '{"a": 1}\n',
} satisfies Files;

test.each<[string, Files, string, string, string[]]>([
  ['code of a listing', book, 'listings/ch01/src/main.rs', 'fn main() { run() }\n', ['listings/**']],
  ['code of an example', fastApi, 'docs_src/first/tutorial001.py', 'app = 2\n', ['docs_src/**']],
  ['code of a snippet', vitepress, 'snippets/a.ts', 'export const a = { b: [1] }\n', ['snippets/**']],
  ['the table of a page', sphinx, 'docs/tables/a.csv', 'a,b,c\n', []],
  ['the data of a snippet', mkdocs, 'docs/_snippets/a.json', '{"a": 2}\n', []],
  ['the data of a snippet', vitepress, 'snippets/a.json', '{"a": 2}\n', []],
  ['new code beside it', fastApi, 'docs_src/first/tutorial002.py', 'app = 2\n', ['docs_src/**']],
  ['new data beside it', mkdocs, 'docs/_snippets/new.json', '{"a": 2}\n', []],
])('%s is changed with the page that includes it', async (_what, files, path, after, also) => {
  expect(await tryChange(files, path, after, { also })).toBeUndefined();
});

test.each<[string, Files, string, string, string[], string]>([
  [
    'code that no setting opens',
    book,
    'listings/ch01/src/main.rs',
    'x',
    [],
    'open it by `also: [listings/ch01/src/main.rs]`',
  ],
  [
    'code that no page includes',
    book,
    'listings/ch01/Cargo.toml',
    '',
    ['listings/**'],
    'decides what code is installed',
  ],
  [
    'code that a configuration names',
    fastApi,
    'docs_src/links/hello.py',
    '',
    ['docs_src/**'],
    'docs/en/mkdocs.yml names it',
  ],
  ['new code that no setting opens', fastApi, 'docs_src/first/tutorial002.py', 'x', [], 'open it by `also'],
  ['new code elsewhere', fastApi, 'docs_src/second/tutorial002.py', 'x', ['docs_src/**'], 'neither a page'],
  ['a new test', fastApi, 'docs_src/first/test_b.py', '', ['docs_src/**'], 'neither a page'],
  ['a new hidden file', mkdocs, 'docs/_snippets/.new.json', '{}', [], 'names with a dot'],
  ['a test', fastApi, 'docs_src/first/test_tutorial.py', '', ['docs_src/**'], 'neither a page'],
  ['a configuration', sphinx, 'deploy/all.yaml', 'a: 2\n', [], 'neither a page'],
  ['data that a script reads', mkdocs, 'docs/_snippets/b.json', '{}', [], 'scripts/check.py names it'],
  ['data that no page includes', mkdocs, 'docs/_snippets/c.json', '{}', [], 'open it by `also'],
  ['a script in data', mkdocs, 'docs/_snippets/a.json', '{"a": "<script>x()</script>"}\n', [], 'run a script'],
  ['a template in code', vitepress, 'snippets/a.json', '{"a": "{{ process.env }}"}\n', [], 'live template syntax'],
])('promise 5: %s stays as it is', async (_what, files, path, after, also, words) => {
  expect(await tryChange(files, path, after, { also })).toContain(words);
});

test.each<[string, string[], string | undefined]>([
  ['docs_src/first/tutorial002.py', ['docs_src/**'], undefined],
  ['docs_src/first/tutorial002.py', [], 'include a file'],
  ['docs_src/second/tutorial002.py', ['docs_src/**'], 'include a file'],
  ['docs_src/first/.hidden.py', ['docs_src/**'], 'include a file'],
])('a page includes %s before it is written, where %j opens it', async (file, also, words) => {
  const refusal = await tryChange(fastApi, 'docs/en/docs/b.md', `{* ../../${file} *}\n`, { also });
  expect(refusal).toEqual(words === undefined ? undefined : expect.stringContaining(words));
});

test('what pages include is among `paths` unless `also` names it', async () => {
  const rules = { allow: ['docs/**'] };
  expect(await tryChange(vitepress, 'snippets/a.json', '{}\n', rules)).toContain('outside the paths');
});
