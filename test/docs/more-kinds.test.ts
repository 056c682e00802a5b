import { expect, test } from 'vitest';
import { checkFiles, type Files, listProblems } from './support/check-files.ts';
import { rowsOf } from './support/rows-of.ts';

const logo = { 'images/logo.png': '' };
const mintlify: Files = { ...logo, 'docs.json': '{"navigation":{"pages":["index"]}}', 'index.mdx': 'Home\n' };
const mkdocs: Files = { 'mkdocs.yml': 'site_name: x\n', 'docs/index.md': '# Home\n', 'docs/use.md': '# Use\n' };

const translated: Files = {
  'docs.json': JSON.stringify({
    navigation: {
      languages: [
        { language: 'en', pages: ['index', 'use'] },
        { language: 'fr', pages: ['fr/index', 'fr/use'] },
      ],
    },
  }),
  ...{ 'index.mdx': 'Home\n', 'use.mdx': 'Use\n', 'fr/index.mdx': 'Accueil\n', 'fr/use.mdx': 'Usage\n' },
};

const withoutText = (file: string, line: number, where: string) =>
  `should alt-text ${file}:${line} image /images/logo.png has no text for readers who do not see it: write what it shows ${where}`;

test.each(
  rowsOf<{ base: Files; change: Record<string, string | null>; problems: string[] }>({
    'an image of Markdown without text': {
      base: mintlify,
      change: { 'index.mdx': 'Home\n\n![](/images/logo.png)\n' },
      problems: [withoutText('index.mdx', 3, 'between the brackets')],
    },
    'an image of HTML without an attribute alt': {
      base: mintlify,
      change: { 'index.mdx': 'Home\n\n<Frame>\n  <img src="/images/logo.png" />\n</Frame>\n' },
      problems: [withoutText('index.mdx', 4, 'as alt="…", or alt="" if it is decoration')],
    },
    'a page with the address of another one': {
      base: mkdocs,
      change: { 'docs/use/index.md': '# Use\n' },
      problems: [
        'must address docs/use/index.md:1 docs/use.md has the same address /use, so readers see only one of these pages',
      ],
    },
    'a link to a page of this site on the own computer': {
      base: mintlify,
      change: { 'index.mdx': 'Home\n\n[Home](http://localhost:3000/use)\n', 'use.mdx': '[Home](/)\n' },
      problems: [
        'should localhost index.mdx:3 link http://localhost:3000/use leads to the computer of its reader. use.mdx is a page of this site: /use',
        'should unlisted use.mdx:1 no reader finds this page: add it to docs.json, where line 1 has the entry index',
      ],
    },
    'JSON without a comma, in a list': {
      base: mkdocs,
      change: {
        'docs/use.md':
          '# Use\n\n1. Write this:\n\n   ```json title="a.json"\n   {\n     "a": 1\n     "b": 2\n   }\n   ```\n',
      },
      problems: ['should data docs/use.md:8 the JSON of this code block does not parse: comma expected'],
    },
    'YAML with a mapping in a plain value': {
      base: mintlify,
      change: { 'index.mdx': 'Home\n\n```yaml\nname: Acme: docs\n```\n' },
      problems: [
        'should data index.mdx:4 the YAML of this code block does not parse: Nested mappings are not allowed in compact mappings',
      ],
    },
    'an entry of Quarto to no page, where git ignores what pages become': {
      base: {
        '.gitignore': '*.md\n',
        '_quarto.yml': 'project:\n  type: book\nbook:\n  chapters:\n    - index.qmd\n',
        'index.qmd': '# Home\n',
      },
      change: { '_quarto.yml': 'project:\n  type: book\nbook:\n  chapters:\n    - index.qmd\n    - none.qmd\n' },
      problems: ['must navigation _quarto.yml:6 the entry none.qmd leads to no page'],
    },
    'an include from the root, where git ignores a folder of that name elsewhere': {
      base: {
        '.gitignore': 'include/\n',
        'conf.py': '',
        'index.rst': 'Home\n====\n\n.. toctree::\n\n   more/a\n',
        'include/note.rst': 'Note.\n',
        'more/a.rst': 'A\n=\n\n.. include:: /include/note.rst\n',
      },
      change: { 'more/a.rst': 'A\n=\n\n.. include:: /include/none.rst\n' },
      problems: ['must import more/a.rst:4 include /include/none.rst leads to no file. Did you mean include/note.rst?'],
    },
    'a missing page of a book, of which a preprocessor links names': {
      base: { 'book.toml': '[preprocessor.spec]\n', 'src/SUMMARY.md': '- [A](a.md)\n', 'src/a.md': '# A\n' },
      change: { 'src/a.md': '# A\n\n[x](none.html)\n' },
      problems: ['must link src/a.md:3 link none.html leads to no page'],
    },
    'TOML with a key twice': {
      base: mkdocs,
      change: { 'docs/use.md': '# Use\n\n```toml\na = 1\na = 2\n```\n' },
      problems: [
        'should data docs/use.md:5 the TOML of this code block does not parse: trying to redefine an already defined table or value',
      ],
    },
    'JSON in reStructuredText without a comma, but not where it may fail': {
      base: { 'docs/conf.py': '', 'docs/index.rst': 'Home\n====\n' },
      change: {
        'docs/index.rst':
          'Home\n====\n\n.. code-block:: json\n   :caption: a.json\n\n   {\n     "a": 1\n     "b": 2\n   }\n\nText\n\n.. code-block:: yaml\n   :force:\n\n   a: b: c\n',
      },
      problems: ['should data docs/index.rst:9 the JSON of this code block does not parse: comma expected'],
    },
    'YAML in AsciiDoc, but not where it is filled in': {
      base: { 'antora.yml': '', 'modules/ROOT/pages/index.adoc': '= Home\n' },
      change: {
        'modules/ROOT/pages/index.adoc':
          '= Home\n\n[source,yaml]\n.a.yml\n----\nname: Acme: docs\n----\n\n[,json]\n----\n{ "a": {value} }\n----\n\n[source,json,subs="+quotes"]\n----\n{ "a" 1 }\n----\n',
      },
      problems: [
        'should data modules/ROOT/pages/index.adoc:6 the YAML of this code block does not parse: Nested mappings are not allowed in compact mappings',
      ],
    },
    'a link of a translated page to a page in another language': {
      base: translated,
      change: { 'fr/index.mdx': 'Accueil : [usage](/use)\n' },
      problems: [
        "should language fr/index.mdx:1 link /use leads to another language (use.mdx); this page's own is fr/use.mdx",
      ],
    },
  }),
)('$name is told', ({ base, change, problems }) => {
  expect(listProblems(base, change)).toEqual(problems);
});

test.each<{ name: string; base: Files; change: Record<string, string | null> }>([
  ...[
    '![Logo](/images/logo.png)',
    '![](/images/logo.png "Our logo")',
    '![](/images/logo.png){alt="Our logo"}',
    '<img src="/images/logo.png" alt="" />',
    '<img src="/images/logo.png" alt={name} />',
    '<img src="/images/logo.png" aria-hidden="true" />',
    '<Frame caption="Our logo"><img src="/images/logo.png" /></Frame>',
    '<figure>\n<img src="/images/logo.png" />\n<figcaption>Our logo</figcaption>\n</figure>',
    '`![](/images/logo.png)`',
  ].map((text) => ({
    name: `the image ${text}`,
    base: { ...mintlify, 'index.mdx': '' },
    change: { 'index.mdx': `export const name = 'a';\n\n${text}\n` },
  })),
  {
    name: 'an image whose page moves',
    base: { ...mkdocs, 'docs/a.png': '', 'docs/use.md': '# Use\n\n![](a.png)\n' },
    change: { 'docs/use.md': null, 'docs/guide/use.md': '# Use\n\n![](../a.png)\n' },
  },
  {
    name: 'an image that takes the place of another one without text',
    base: { ...mkdocs, 'docs/a.png': '', 'docs/use.md': '# Use\n\n![](a.png)\n' },
    change: { 'docs/use.md': '# Use\n\n![](b.webp)\n', 'docs/b.webp': '' },
  },
  ...[
    'json\n"a": 1,\n"b": 2',
    'json\n{ "a": 1, ... }',
    'json\n{ "a": <your id> "b": 2 }',
    'json\n{ "a": 1 }\n{ "b": 2 }',
    'json\n{\n  // more\n  "a": 1,\n}',
    'json\n{ "a": string }',
    'json\n{ "a": {{ value }} "b" }',
    'jsonc\n{ a b }',
    'json diff\n- { a b }',
    'json\n- { "a": 1 }\n+ { "a": 2 }',
    'yaml\na: 1\n---\nb: 2',
    'yaml\nfirst word\nsecond: word: third',
    'yaml\n  a: {% if x %}: {% endif %}',
    'yaml\n!include other.yml: x',
    'toml\nname = your name',
    'text\n{ "a" }',
  ].map((code) => ({
    name: `the code block ${JSON.stringify(code)}`,
    base: mkdocs,
    change: { 'docs/use.md': `# Use\n\n\`\`\`${code}\n\`\`\`\n` },
  })),
  {
    name: 'JSON that does not parse, on a page that has such JSON already',
    base: { ...mkdocs, 'docs/use.md': '```json\n{ "a": 1 "b": 2 }\n```\n' },
    change: { 'docs/use.md': '```json\n{ "a": 1 "b": 2 }\n```\n\n```json\n{ "c": 1 "d": 2 }\n```\n' },
  },
  { name: 'a link to the same page in another language', base: translated, change: { 'fr/use.mdx': '[en](/use)\n' } },
  {
    name: 'a link to a page that its language lacks',
    base: { ...translated, 'more.mdx': '---\nhidden: true\n---\n' },
    change: { 'fr/use.mdx': '[plus](/more)\n' },
  },
  { name: 'a link of a page in the default language', base: translated, change: { 'index.mdx': '[fr](/fr/use)\n' } },
  {
    name: 'a README beside an index',
    base: mkdocs,
    change: { 'docs/README.md': '# For readers of the repository\n' },
  },
  {
    name: 'a page about ReadMe, of Mintlify',
    base: { 'docs.json': '{"navigation":{"pages":["from/index","from/readme"]}}', 'from/index.mdx': 'a\n' },
    change: { 'from/readme.mdx': 'b\n' },
  },
  {
    name: 'a draft with the address of another page',
    base: { 'hugo.toml': '', 'content/use.md': 'a\n' },
    change: { 'content/use/index.md': '---\ndraft: true\n---\n' },
  },
  {
    name: 'the server that a reader starts',
    base: mintlify,
    change: {
      'index.mdx':
        'Open [the app](http://localhost:3000), [the API](http://localhost:3000/api/v1) or [localhost:3000/index](http://localhost:3000/index).\n',
    },
  },
])('$name is no problem', ({ base, change }) => {
  expect(listProblems(base, change)).toEqual([]);
});

test('where a twentieth of the images has no text already, new ones are not told, and the report says so', () => {
  const images = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`docs/${index}.png`, '']));
  const page = Object.keys(images)
    .map((path) => `![](${path.slice(5)})\n`)
    .join('\n');
  const { problems, notChecked } = checkFiles(
    { ...mkdocs, ...images, 'docs/all.md': page },
    { 'docs/use.md': '![](1.png)\n' },
  );
  expect(problems).toEqual([]);
  expect(notChecked).toEqual(['Texts of images are not judged: 12 of 12 have none.']);
});
