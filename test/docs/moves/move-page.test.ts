import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkChange } from '../../../src/docs/check-change.ts';
import { createDocumentation } from '../../../src/docs/documentation.ts';
import { applyEdits } from '../../../src/docs/moves/apply-edits.ts';
import { deletePage } from '../../../src/docs/moves/delete-page.ts';
import { movePage } from '../../../src/docs/moves/move-page.ts';
import { movedPath } from '../../../src/docs/moves/moved-path.ts';
import { findReferences } from '../../../src/docs/questions/find-references.ts';
import type { FileTree } from '../../../src/docs/tree.ts';
import { openTree } from '../support/check-files.ts';
import { buildSite, pathOf, styles, toTree } from './small-sites.ts';

const moveIn = (files: ReadonlyMap<string, string>, from: string, to: string) => {
  return movePage(openTree(toTree(files)), { from, to });
};

/** The files after a move, with everything rewritten that the answer names. */
function applyMove(files: ReadonlyMap<string, string>, from: string, to: string): Map<string, string> {
  const after = new Map(files);
  for (const { file, edits } of moveIn(files, from, to).edits) {
    after.set(file, applyEdits(after.get(file) ?? '', edits));
  }
  const moved = after.get(from) ?? '';
  after.delete(from);
  return after.set(to, moved);
}

/** By kind: navigation in code is compared by nothing else. */
function countPlaces(tree: FileTree, path: string): Record<string, number> {
  const found = findReferences(openTree(tree), { target: path });
  const places = found.kind === 'found' ? found.files.flatMap((file) => file.places) : [];
  return Object.fromEntries([...Map.groupBy(places, ({ kind }) => kind)].map(([kind, { length }]) => [kind, length]));
}

const name = fc
  .array(fc.constantFrom('a', 'b', 'guide', 'use-it', 'index'), { minLength: 1, maxLength: 3 })
  .filter((names) => names.slice(0, -1).every((each) => each !== 'index'))
  .map((names) => names.join('/'));
/** `a` and `a/index` have one address, and for Docusaurus `a/a` has it, too. */
const addressesOf = (each: string) => [
  each.replace(/(?:^|\/)index$/, ''),
  each.replace(/(?:^|\/)index$|(?<=(?:^|\/)([^/]+))\/\1$/, ''),
];
const names = fc.uniqueArray(name, {
  minLength: 3,
  maxLength: 7,
  comparator: (one, other) => addressesOf(one).some((address, index) => address === addressesOf(other)[index]),
});
const links = fc.array(fc.record({ to: fc.nat(6), form: fc.nat(3) }), { maxLength: 4 });

test.each(Object.keys(styles))('promise 31: a page of %s moves, and nothing leads to its old place', (framework) => {
  const style = styles[framework];
  if (style === undefined) throw new Error('no such style');
  fc.assert(
    fc.property(names, fc.array(links, { minLength: 7, maxLength: 7 }), (all, allLinks) => {
      const [to = '', ...rest] = all;
      // Not every sidebar has a word for the start page.
      fc.pre(to !== 'index' && rest[0] !== 'index');
      const files = buildSite(
        style,
        rest.map((each, index) => ({ name: each, links: allLinks[index] ?? [] })),
      );
      const base = toTree(files);
      const [from, target] = [pathOf(style, rest[0] ?? ''), pathOf(style, to)];
      const head = toTree(applyMove(files, from, target));
      // A redirect is for the model to add: the answer names the file.
      const problems = checkChange({ base, head }).problems.filter(({ kind }) => kind !== 'redirect');
      // Where the move gives a page an address that another link had in mind, too, there are more.
      for (const [kind, count] of Object.entries(countPlaces(base, from))) {
        expect({ kind, count: countPlaces(head, target)[kind] ?? 0 }).toEqual({
          kind,
          count: expect.toSatisfy((now) => now >= count),
        });
      }
      expect(problems.map(({ file, line, message }) => `${file}:${line}: ${message}`)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test.each(Object.keys(styles))('promise 31: a folder of %s moves, and nothing leads to its old place', (framework) => {
  const style = styles[framework];
  if (style === undefined) throw new Error('no such style');
  fc.assert(
    fc.property(names, fc.array(links, { minLength: 7, maxLength: 7 }), (all, allLinks) => {
      const [from, to] = [`${style.content}box`, `${style.content}new/place`];
      const placed = all.map((each, index) => (index < all.length / 2 ? `box/${each}` : each));
      // Not every sidebar has a word for the start page.
      fc.pre(placed.every((each) => !/^(?:box\/)?index$/.test(each)));
      const files = buildSite(
        style,
        placed.map((each, index) => ({ name: each, links: allLinks[index] ?? [] })),
      );
      const base = toTree(files);
      const edits = new Map(moveIn(files, from, to).edits.map(({ file, edits: inside }) => [file, inside]));
      const after = Array.from(
        files,
        ([path, text]) => [movedPath({ from, to }, path), applyEdits(text, edits.get(path) ?? [])] as const,
      );
      const problems = checkChange({ base, head: toTree(new Map(after)) }).problems;
      expect(
        problems.flatMap(({ kind, file, line, message }) =>
          kind === 'redirect' ? [] : [`${file}:${line}: ${message}`],
        ),
      ).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test.each(Object.keys(styles))(
  'promise 31: a page of %s is deleted in favour of another, and nothing leads to it',
  (framework) => {
    const style = styles[framework];
    if (style === undefined) throw new Error('no such style');
    fc.assert(
      fc.property(names, fc.array(links, { minLength: 7, maxLength: 7 }), (all, allLinks) => {
        // Not every sidebar has a word for the start page.
        fc.pre(!all.slice(0, 2).includes('index'));
        const files = buildSite(
          style,
          all.map((each, index) => ({ name: each, links: allLinks[index] ?? [] })),
        );
        const [from, to] = [pathOf(style, all[0] ?? ''), pathOf(style, all[1] ?? '')];
        const base = toTree(files);
        const documentation = createDocumentation({ base, head: base }).with(new Map());
        const { edits, left } = deletePage(documentation, { from, to });
        const after = new Map(files);
        for (const { file, edits: inside } of edits) after.set(file, applyEdits(after.get(file) ?? '', inside));
        after.delete(from);
        const { problems } = checkChange({ base, head: toTree(after) });
        expect(left).toEqual([]);
        expect(
          problems.flatMap(({ kind, file, line, message }) =>
            kind === 'redirect' ? [] : [`${file}:${line}: ${message}`],
          ),
        ).toEqual([]);
      }),
      { numRuns: 60 },
    );
  },
);

const page = '---\ntitle: A\n---\n\n# A\n';
const move = (files: Record<string, string>, from: string, to: string) =>
  moveIn(new Map(Object.entries(files)), from, to);

test.each<{ framework: string; files: Record<string, string>; from: string; to: string; file: string }>([
  {
    framework: 'MkDocs',
    files: { 'mkdocs.yml': 'site_name: x\nnav:\n  - A: a.md\n', 'docs/a.md': page },
    from: 'docs/a.md',
    to: 'docs/b: #c.md',
    file: 'mkdocs.yml',
  },
  {
    framework: 'Mintlify',
    files: { 'docs.json': '{"navigation": {"pages": ["a"]}}', 'a.mdx': page },
    from: 'a.mdx',
    to: 'b", "c.mdx',
    file: 'docs.json',
  },
  {
    framework: 'VitePress',
    files: {
      '.vitepress/config.js': "export default { themeConfig: { sidebar: [{ text: 'A', link: '/a' }] } };",
      'a.md': page,
    },
    from: 'a.md',
    to: "b'c.md",
    file: '.vitepress/config.js',
  },
])('an entry of $framework stays if the new name would break it', ({ files, from, to, file }) => {
  const { edits, left } = move(files, from, to);
  expect(edits.map((each) => each.file)).toEqual([]);
  expect(left.map((each) => each.file)).toEqual([file]);
});

test('a page that a translation service writes is left and named', () => {
  const languages = '[{"language": "en", "pages": ["a", "z"]}, {"language": "fr", "pages": ["fr/z"]}]';
  const files = {
    'docs.json': `{"navigation": {"languages": ${languages}}}`,
    'a.mdx': page,
    'z.mdx': '[A](/a)\n',
    'fr/z.mdx': '[A](/a)\n',
  };
  const filesOf = (places: { file: string }[]) => places.map(({ file }) => file);
  const people = move(files, 'a.mdx', 'b.mdx');
  expect([filesOf(people.edits), people.left]).toEqual([['docs.json', 'fr/z.mdx', 'z.mdx'], []]);
  const service = move({ ...files, 'gt.config.json': '{}' }, 'a.mdx', 'b.mdx');
  expect([filesOf(service.edits), service.left]).toEqual([
    ['docs.json', 'z.mdx'],
    [{ file: 'fr/z.mdx', line: 1, why: 'generated' }],
  ]);
});

test('an address that stays is not told', () => {
  const files = {
    'docusaurus.config.js': 'export default {};',
    'docs/a.md': '---\nslug: /start\n---\n\n# A\n',
    'docs/z.md': page,
  };
  expect(move(files, 'docs/a.md', 'docs/b/c.md').addresses).toEqual([]);
  expect(move(files, 'docs/z.md', 'docs/y.md').addresses).toEqual([{ before: '/docs/z', after: '/docs/y' }]);
});

test('translations that move along do not stay', () => {
  const entries = ['en', 'fr'].map((language) => ({ language, pages: [`${language}/a`] }));
  const files = {
    'docs/docs.json': JSON.stringify({ navigation: { languages: entries } }),
    'docs/en/a.mdx': page,
    'docs/fr/a.mdx': page,
  };
  expect(move(files, 'docs/en/a.mdx', 'docs/en/b.mdx').translations).toEqual(['docs/fr/a.mdx']);
  expect(move(files, 'docs', 'site').translations).toEqual([]);
});

test('a link by an alias of the site keeps the alias', () => {
  const files = new Map([
    ['docusaurus.config.js', 'export default {};\n'],
    ['docs/a.md', '# A\n'],
    ['docs/b/c.md', '[a](@site/docs/a.md#a)\n'],
  ]);
  expect(applyMove(files, 'docs/a.md', 'docs/d/e.md').get('docs/b/c.md')).toBe('[a](@site/docs/d/e.md#a)\n');
});

test('the entries of a toctree stay right when its page moves alone', () => {
  const files: Record<string, string> = {
    'conf.py': '',
    'index.rst': 'Start\n=====\n\n.. toctree::\n\n   a/index\n',
    'a/index.rst': 'A\n==\n\n.. toctree::\n   :maxdepth: 2\n\n   one\n   Two <two>\n   /a/three\n',
    ...Object.fromEntries(['one', 'two', 'three'].map((name) => [`a/${name}.rst`, `${name}\n=====\n`])),
  };
  const { edits } = moveIn(new Map(Object.entries(files)), 'a/index.rst', 'a/b/index.rst');
  expect(edits.flatMap(({ edits }) => edits.map(({ replacement }) => replacement))).toEqual([
    '../one',
    '../two',
    'a/b/index',
  ]);
});

test('a redirect to a page whose address is in its front matter stays', () => {
  const files = new Map([
    ['fern/fern.config.json', '{}'],
    [
      'fern/docs.yml',
      'navigation:\n  - page: A\n    path: tools/a.mdx\nredirects:\n  - source: /old\n    destination: /tools/a\n',
    ],
    ['fern/tools/a.mdx', '---\ntitle: A\nslug: tools/a\n---\n\ntext\n'],
  ]);
  const { edits, redirect } = moveIn(files, 'fern/tools/a.mdx', 'fern/tools/b.mdx');
  expect(redirect).toBeUndefined();
  expect(edits.flatMap(({ edits }) => edits.map(({ line, replacement }) => [line, replacement]))).toEqual([
    [3, 'tools/b.mdx'],
  ]);
});
