import { expect, test } from 'vitest';
import { faults } from '../../bench/seeded-faults/faults.ts';
import { harmless } from '../../bench/seeded-faults/harmless.ts';
import { ownSites } from '../../bench/seeded-faults/own-sites.ts';
import { createRandom } from '../../bench/seeded-faults/seed.ts';
import { type Checked, checkDocumentation } from '../../src/docs/check-change.ts';
import { createDocumentation, type TextChanges } from '../../src/docs/documentation.ts';
import { createTree } from '../../src/docs/tree.ts';
import { toTree } from './support/check-files.ts';

const describe = ({ problems, checkedLinks, sites, notChecked }: Checked) => ({
  problems: problems.map(({ file, line, message }) => `${file}:${line} ${message}`),
  ...{ checkedLinks, sites, notChecked },
});

test.each(ownSites)('$name: what one change takes over from another is what reading anew finds', (site) => {
  const paths = new Set([...Object.keys(site.files), ...site.binaries]);
  const tree = createTree({ paths, read: (path) => site.files[path] });
  const trees = { base: tree, head: tree };
  const documentation = createDocumentation(trees);
  const { sites } = documentation.with(new Map()).base;
  const pages = sites.flatMap((each) => [...each.pages.keys()]);
  const kinds = Object.values({ ...faults, ...harmless }).filter((_, index) => index % 2 === 0);
  const seeds = kinds.flatMap((draw, index) => draw({ tree, sites, random: createRandom(index) })?.change ?? []);
  const renamed = pages.map(
    (path): TextChanges => new Map([[path, `${site.files[path]}`.replaceAll('First', 'Next')]]),
  );
  // Pages that go, come and move, with what the one before left behind.
  const moved = pages.flatMap((path, index): TextChanges[] => {
    const text = site.files[path] ?? '';
    const beside = (name: string) => path.replace(/[^/]+(?=\.\w+$)/, name);
    return [
      new Map([[path, null]]),
      new Map([[beside(`added-${index}`), text]]),
      new Map([
        [path, null],
        [beside(`moved-${index}`), text],
        [pages[index - 1] ?? path, null],
      ]),
    ];
  });
  for (const change of [...seeds, ...renamed, ...moved]) {
    const now = describe(checkDocumentation(documentation.with(change)));
    expect(now).toEqual(describe(checkDocumentation(createDocumentation(trees).with(change))));
  }
});

test('a heading that goes from a translation is missed by the links of its language', () => {
  const files: Record<string, string> = {
    'source.config.ts': '',
    'content/docs/a.mdx': '---\ntitle: A\n---\n\n## Again\n',
    'content/docs/a.ja.mdx': '---\ntitle: A\n---\n\n## 再検証\n',
    'content/docs/b.mdx': '---\ntitle: B\n---\n\nText\n',
    'content/docs/b.ja.mdx': '---\ntitle: B\n---\n\n[x](/docs/a#再検証)\n',
  };
  const tree = toTree(files);
  const documentation = createDocumentation({ base: tree, head: tree });
  checkDocumentation(documentation.with(new Map()));
  const changed = new Map([['content/docs/a.ja.mdx', '---\ntitle: A\n---\n\nText\n']]);
  expect(checkDocumentation(documentation.with(changed)).problems.map(({ file, kind }) => `${file} ${kind}`)).toEqual([
    'content/docs/b.ja.mdx anchor',
  ]);
});

test('a link to a page that goes is missed, and so is one to a page that came and goes', () => {
  const files: Record<string, string> = {
    'docs/.vitepress/config.ts': '',
    'docs/one.md': '# One\n\n[Two](./Two%20more.md) and [three](/three)\n',
    'docs/Two more.md': '# Two\n',
    'docs/three.md': '# Three\n\n[four](four.md)\n',
  };
  const tree = toTree(files);
  const documentation = createDocumentation({ base: tree, head: tree });
  const list = (...changes: [path: string, text: string | null][]) =>
    checkDocumentation(documentation.with(new Map(changes)), { all: true })
      .problems.filter(({ kind }) => kind === 'link')
      .map(({ file, target }) => `${file} ${target}`);
  const old = 'docs/three.md docs/four.md';
  expect(list()).toEqual([old]);
  expect(list(['docs/Two more.md', null])).toEqual(['docs/one.md docs/Two more.md', old]);
  expect(list(['docs/Two more.md', null], ['docs/three.md', null])).toEqual([
    'docs/one.md docs/Two more.md',
    'docs/one.md /three',
  ]);
  expect(list(['docs/four.md', '# Four\n'])).toEqual([]);
  expect(list(['docs/five.md', '# Five\n'])).toEqual([old]);
});
