import { expect, test } from 'vitest';
import { createBase, type Files, readState } from '../../harness/memory-files.ts';
import { inlineReaders } from '../../src/policy/judge/foreign-readers.ts';
import { createPageJudge } from '../../src/policy/judge/judge-pages.ts';
import { readLayout } from '../../src/policy/places/read-layout.ts';

const site = {
  'docs.json': '{"navigation": {}}',
  'index.mdx': "import { Fancy } from '/snippets/fancy.jsx'\n\n<Fancy /> <Global size={2} /> {props.version}\n",
  'guides/start.mdx': '<iframe src="https://player.example/1" />\n\n<Old>{old.value}</Old>\n',
  'guides/deep/page.mdx': "import Chart from '../../components/chart.tsx'\n\n<Chart />\n",
  'script.md': `<script>\n// steal()\n${'work();'.repeat(1_000)}\n</script>\n`,
  'spaced.mdx': '{ site.name }\n',
  'code.mdx': '```mdx\n<Shown>{shown.value}</Shown>\n```\n',
  'src/index.ts': '<Unread />',
  'package.json': '{}',
};

async function check(path: string, after: string | null, files: Files = site): Promise<string | undefined> {
  const base = createBase(files);
  const before = files[path];
  const { findDialect } = await readLayout(base);
  return createPageJudge({
    base,
    findDialect,
    mayBeWritten: () => false,
    read: inlineReaders.readPage,
    findSecrets: inlineReaders.findSecrets,
  })({
    path,
    before: before === undefined ? null : readState(before),
    after: after === null ? null : readState(after),
    base,
  });
}

test.each<[string, string, string]>([
  ['what another page imports and uses', 'a.mdx', "import { Fancy } from '/snippets/fancy.jsx'\n\n<Fancy />"],
  ['the same module from another folder', 'a.mdx', "import Chart from './components/chart.tsx'\n\n<Chart type='x' />"],
  ['a component that another page uses', 'guides/a.mdx', '<Global size={3}>text</Global>'],
  ['an expression that another page has', 'guides/a.mdx', 'Version {  props.version }'],
  ['an expression that another page writes with spaces', 'a.mdx', 'Name {site.name}'],
  ['a frame of a known host', 'a.mdx', '<iframe src="https://player.example/2" />'],
  ['what the page had', 'guides/start.mdx', 'New text <Old>{old.value}</Old> <Old>{old.value}</Old>'],
  ['less than the page had', 'guides/start.mdx', 'Text'],
  ['a script that another page has', 'a.md', site['script.md']],
  ['code blocks', 'a.mdx', '```js\nimport x from "x"\n```\n`{x}`'],
])('%s pass without a word', async (_what, path, after) => {
  expect(await check(path, after)).toBeUndefined();
});

test.each<[string, string, string, string]>([
  [
    'an expression',
    'index.mdx',
    `${site['index.mdx']}{process.env.SECRET}`,
    '`{process.env.SECRET}` (line 4). Write its value',
  ],
  ['an import', 'index.mdx', "import fs from 'fs'", 'Import only what other pages import'],
  ['a module of the same name', 'guides/a.mdx', "import Chart from './components/chart.tsx'", 'chart.tsx'],
  ['a component', 'a.mdx', '<Unknown />', 'Use a component that other pages use'],
  ['a component of a code block', 'a.mdx', '<Shown />', '`<Shown>`'],
  ['a component of a file that is no page', 'a.mdx', '<Unread />', '`<Unread>`'],
  ['a frame of another host', 'a.mdx', '<iframe src="https://evil.example/" />', '`frame of evil.example`'],
  ['a comment of a script that becomes code', 'a.md', site['script.md'].replace('// ', '//\n'), 'run a script'],
  ['a script with a long beginning', 'a.md', site['script.md'].replace('\n</', ' steal()\n</'), 'run a script'],
  ['a script', 'notes.md', '<script>alert(1)</script>', 'write it as a code block'],
])('promise 19: %s is refused, with what to write instead', async (_what, path, after, words) => {
  const refusal = await check(path, after);
  expect(refusal).toContain(`pages may not add code that no page of the base has, and ${path} would`);
  expect(refusal).toContain(words);
});

const broken = `import Tabs from '@theme/Tabs'
import {
  A,
} from './y.js'

export const double = (a) => {

  return a + a
}

<Tabs>

Text {double({ a: 1 })} <A b={double(2)} />

- {props.version}

\`\`\`js
import shown from 'shown'
\`\`\`

End <br>
`;
const repaired = broken.replace('<br>', '<br />').replace('- {', '</Tabs>\n\n- {');

test.each<[string, string]>([
  ['repaired', repaired],
  ['repaired in part', broken.replace('<br>', '<br />')],
  ['changed elsewhere', `${broken}\nMore`],
])('a page that does not parse in the base can be %s', async (_how, after) => {
  expect(await check('broken.mdx', after, { 'docs.json': '{}', 'broken.mdx': broken })).toBeUndefined();
});

test.each<[string, string, string]>([
  ['a module', `${repaired}\n\nimport fs from 'fs'\n`, '`fs`'],
  ['a module that a code block shows', `${repaired}\n\nimport shown from 'shown'\n`, '`shown`'],
  ['a module while it stays broken', `${broken}\n\nimport fs from 'fs'\n`, '`fs`'],
  ['an expression', repaired.replace('a: 1', 'a: 2'), '`{double({ a: 2 })}`'],
  ['a component', `${repaired}\n\n<Unknown />\n`, '`<Unknown>`'],
])('promise 19: a page that does not parse in the base is no excuse for %s', async (_what, after, words) => {
  expect(await check('broken.mdx', after, { 'docs.json': '{}', 'broken.mdx': broken })).toContain(words);
});

test.each<[string, string, string, boolean]>([
  ['a file of the repository', 'docs/a.md', '--8<-- "src/index.ts"', true],
  ['a file beside the page', 'docs/a.md', '--8<-- "b.md"', true],
  ['a section of a file', 'docs/a.md', '--8<-- "src/index.ts:intro"', true],
  ['a page that is still to be written', 'docs/a.md', '--8<-- "docs/new.md"', true],
  ['a file outside of the repository', 'docs/a.md', '--8<-- "../../etc/passwd"', false],
  ['a file that is not there', 'docs/a.md', '--8<-- "/etc/passwd"', false],
  ['a page outside of the repository', 'docs/a.md', '--8<-- "/home/x.md"', false],
  ['a key', 'docs/a.md', '--8<-- "docs/id_rsa"', false],
  ['a hidden file', 'docs/a.md', '--8<-- "docs/.env"', false],
  ['a file with a key', 'docs/a.md', '--8<-- "src/key.ts"', false],
  ['an address', 'docs/a.md', '--8<-- "https://evil.example/x.md"', false],
])('promise 19: %s is included: %s, %s: %s', async (_what, path, after, isAllowed) => {
  const files = {
    'mkdocs.yml': '',
    'src/index.ts': 'x',
    'docs/b.md': '# B',
    'docs/.env': 'KEY=1',
    'docs/id_rsa': 'key',
    // In pieces, so that no scanner finds it here.
    'src/key.ts': `const key = 'ghp${'_wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'}'`,
  };
  expect((await check(path, after, files)) === undefined).toBe(isAllowed);
});

test('what is no page, and a page that is removed or stays as it is, is not read', async () => {
  expect(await check('src/index.ts', '<script>')).toBeUndefined();
  expect(await check('index.mdx', null)).toBeUndefined();
  expect(await check('index.mdx', site['index.mdx'])).toBeUndefined();
});
