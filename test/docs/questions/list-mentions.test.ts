import { expect, test } from 'vitest';
import { applyEdits } from '../../../src/docs/moves/apply-edits.ts';
import { movePage } from '../../../src/docs/moves/move-page.ts';
import { findReferences } from '../../../src/docs/questions/find-references.ts';
import { toTree } from '../moves/small-sites.ts';
import { openTree } from '../support/check-files.ts';
import { tuplesOf } from '../support/rows-of.ts';

const site = {
  'docusaurus.config.js': 'export default {};\n',
  'docs/guides/install.md': '---\nslug: /guides/install\n---\n\n# Install\n',
  'docs/_intro.mdx': 'Hello.\n',
  'static/img/flow.svg': '',
};

const inTemplate = (end: string) => `const a = \`\${base}${end}\`;`;

const open = (files: Record<string, string>) => {
  const tree = toTree(new Map(Object.entries({ ...site, ...files })));
  return openTree(tree);
};

function find(file: string, text: string, target = 'docs/guides/install.md'): string[] {
  const found = findReferences(open({ [file]: text }), { target });
  if (found.kind !== 'found') return ['unknown'];
  return found.files.flatMap((each) => each.places.map(({ line, kind, written }) => `${line} ${kind} ${written}`));
}

test.each(
  tuplesOf<[file: string, text: string, found: string[]]>({
    'a whole string': ['src/a.ts', "a('/docs/guides/install')", ['1 mention /docs/guides/install']],
    'a string with an anchor': [
      'src/a.ts',
      '\nconst a = "docs/guides/install.md#linux";',
      ['2 mention docs/guides/install.md#linux'],
    ],
    'the end of a template': [
      'src/a.tsx',
      inTemplate('/docs/guides/install#linux'),
      ['1 mention /docs/guides/install#linux'],
    ],
    'a part of a text': [
      'src/a.ts',
      "warn('See /docs/guides/install?os=linux, or ask.')",
      ['1 mention /docs/guides/install?os=linux'],
    ],
    'another host': ['src/a.ts', "a('https://example.com/docs/guides/install#linux')", []],
    'a longer address': [
      'src/a.ts',
      inTemplate('/docs/guides/install-it#x') + inTemplate('/old/docs/guides/install#x'),
      [],
    ],
    'code in a page': ['docs/b.md', '`/docs/guides/install`\n', []],
    'front matter of another page': [
      'docs/b.md',
      '---\nrelated:\n  - /docs/guides/install\nnext: "/docs/guides/install#linux"\n---\n\n/docs/guides/install\n',
      ['3 mention /docs/guides/install', '4 mention /docs/guides/install#linux'],
    ],
  }),
)('what leads to a page: %s', (_name, file, text, found) => {
  expect(find(file, text)).toEqual(found);
});

test('a page does not lead to itself by its own slug', () => {
  expect(find('src/a.ts', '')).toEqual([]);
});

test('code imports a part of pages, and names static files', () => {
  expect(find('src/a.tsx', "import Intro from '@site/docs/_intro.mdx';", 'docs/_intro.mdx')).toEqual([
    '1 mention @site/docs/_intro.mdx',
  ]);
  expect(find('src/b.tsx', "import Intro from '../docs/_intro.mdx';", 'docs/_intro.mdx')).toEqual([
    '1 mention ../docs/_intro.mdx',
  ]);
  expect(find('src/c.tsx', '<img src="/img/flow.svg" />', 'static/img/flow.svg')).toEqual(['1 mention /img/flow.svg']);
});

test('a move rewrites front matter and the ends of templates', () => {
  const files: Record<string, string> = {
    'docs/b.md': '---\nrelated: /docs/guides/install#linux\n---\n',
    'src/a.ts': inTemplate('/docs/guides/install?x'),
    'docs/guides/install.md': '# Install\n',
  };
  const { edits } = movePage(open(files), { from: 'docs/guides/install.md', to: 'docs/start/set-up.md' });
  const after = edits.map(({ file, edits: inside }) => applyEdits(files[file] ?? '', inside));
  expect(after).toEqual(['---\nrelated: /docs/start/set-up#linux\n---\n', inTemplate('/docs/start/set-up?x')]);
});
