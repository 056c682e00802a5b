import { expect, test } from 'vitest';
import { pandocSlug } from '../../src/docs/frameworks/quarto/quarto.ts';
import { applyEdits } from '../../src/docs/moves/apply-edits.ts';
import { deletePage } from '../../src/docs/moves/delete-page.ts';
import { movePage } from '../../src/docs/moves/move-page.ts';
import { describeSites } from '../../src/docs/questions/describe-sites.ts';
import { type Files, listProblems, openTree, toTree } from './support/check-files.ts';
import { tuplesOf } from './support/rows-of.ts';

const website: Files = {
  '_quarto.yml': `project:
  type: website
  output-dir: _site
  pre-render: make-data.R
website:
  navbar:
    left:
      - href: index.qmd
        text: Home
      - text: More
        menu:
          - about.qmd
          - href: https://acme.dev
  sidebar:
    - id: guide
      contents:
        - section: Guide
          href: guide/index.qmd
          contents:
            - guide/install.qmd
            - text: Use
              href: guide/use.qmd#first
            - guide/limits.qmd
        - text: Posts
          href: posts/
        - "ref/*.qmd"
        - "---"
        - A title
metadata-files: [_more.yml]
`,
  '_more.yml': 'book:\n  appendices: [guide/none.qmd]\n',
  '_quarto-dev.yml': 'website:\n  navbar:\n    right:\n      - dev.qmd\n',
  'dev.qmd': '# Dev\n',
  'index.qmd': '---\ntitle: Home\n---\n\n## See also {.unlisted}\n\n[a](guide/install.qmd#tools-and-data)\n',
  'about.qmd': '---\ntitle: About\n---\n',
  'guide/index.qmd': '---\ntitle: Guide\naliases: [/start.html, old/]\n---\n',
  'guide/install.qmd':
    '# Install\n\n## Tools -- and *data*\n\n{{< include _part.qmd >}}\n\n## 2. `x.y` {#second}\n\n```{r}\n#| label: fig-plot\nplot(x)\n```\n',
  'guide/use.qmd': '# Use\n\n## First\n',
  'guide/limits.qmd': '# Limits\n',
  'guide/_part.qmd': '## In a part\n\n[own](#second) [there](use.qmd) ![](images/x.png)\n',
  'posts/index.qmd': '---\nlisting: default\n---\n',
  'posts/one/index.qmd': '# One\n',
  'ref/a.qmd': '# A\n',
  'images/shot.png': '',
  'lab/_quarto.yml': 'project:\n  type: default\n',
  'lab/x.qmd': '[gone](gone.qmd)\n',
};
const book: Files = {
  '_quarto.yml':
    'project:\n  type: book\nbook:\n  chapters:\n    - index.qmd\n    - part: Basics\n      chapters:\n        - one.qmd\n        - two.qmd\n  appendices:\n    - tools.qmd\n',
  'index.qmd': '# Preface {.unnumbered}\n',
  'one.qmd': '# One {#sec-one}\n\n@sec-two and [two](two.qmd).\n',
  'two.qmd': '# Two {#sec-two}\n',
  'tools.qmd': '# Tools\n',
};

test.each(
  tuplesOf<[Files, Record<string, string | null>, string[]]>({
    'links to pages, folders, addresses, and images without an ending': [
      website,
      {
        'dev.qmd':
          '[a](guide/use.qmd#first) [b](guide/) [c](/guide/use.html#first) [d](guide/install.html) ![shot](images/shot) [e](/start.html) [f](https://x.org)\n',
      },
      [],
    ],
    'an anchor of a chapter, which leads there from all of the book': [
      book,
      { 'tools.qmd': '# Tools {#sec-tools}\n\n[a](#sec-two) [b](#sec-none) [c](#tools) [d](#tools-1)\n\n## Tools\n' },
      [
        'should anchor tools.qmd:3 link #sec-none: tools.qmd has no heading or id for #sec-none',
        'should anchor tools.qmd:3 link #tools-1: tools.qmd has no heading or id for #tools-1. Did you mean #tools?',
      ],
    ],
    'links to nothing': [
      website,
      { 'dev.qmd': '[a](guide/gone.qmd) [b](/guide/gone.html) [c](guide/use.qmd#none)\n' },
      [
        'must link dev.qmd:1 link guide/gone.qmd leads to no page',
        'must link dev.qmd:1 link /guide/gone.html leads to no page',
        'should anchor dev.qmd:1 link guide/use.qmd#none: guide/use.qmd has no heading or id for #none',
      ],
    ],
    'anchors of headings, of cells and of what a page includes': [
      website,
      {
        'dev.qmd':
          '[a](guide/install.qmd#tools-and-data) [b](guide/install.qmd#in-a-part) [c](guide/install.qmd#second) [d](guide/install.qmd#fig-plot) [e](index.qmd#see-also)\n',
      },
      [],
    ],
    'anchors of a page that lists others, which are not known': [
      website,
      { 'dev.qmd': '[a](posts/index.qmd#any)\n' },
      [],
    ],
    'links of a part are those of the pages that show it, until the change breaks them': [
      website,
      {
        'guide/use.qmd': null,
        'guide/_part.qmd': '## In a part\n\n[own](#second) [there](use.qmd) [new](elsewhere.qmd)\n',
        '_quarto.yml': website['_quarto.yml']?.replace('guide/use.qmd#first', 'guide/limits.qmd') ?? '',
      },
      [
        'must link guide/_part.qmd:3 link use.qmd leads to no page: this change deletes guide/use.qmd',
        'should redirect _quarto.yml:1 nothing answers at /guide/use any more: guide/use.qmd is deleted. Add a redirect from /guide/use: aliases: [/guide/use.html] in the front matter of the page for its readers',
      ],
    ],
    'entries of the navigation, of profiles, too': [
      website,
      { 'dev.qmd': null, 'ref/a.qmd': null },
      [
        'must navigation _quarto.yml:26 the entry ref/*.qmd leads to no page',
        'should redirect _quarto.yml:1 nothing answers at /dev any more: dev.qmd is deleted. Add a redirect from /dev: aliases: [/dev.html] in the front matter of the page for its readers',
        'should redirect _quarto.yml:1 nothing answers at /ref/a any more: ref/a.qmd is deleted. Add a redirect from /ref/a: aliases: [/ref/a.html] in the front matter of the page for its readers',
        'must navigation _quarto-dev.yml:4 the entry dev.qmd leads to no page: this change deletes dev.qmd',
      ],
    ],
    'a new page beside listed ones': [
      website,
      {
        'guide/new.qmd': '# New\n',
        'posts/two/index.qmd': '# Two\n',
        'ref/b.qmd': '# B\n',
        'guide/_new.qmd': 'part\n',
      },
      [
        'should unlisted guide/new.qmd:1 no reader finds this page: add it to _quarto.yml, where line 18 has the entry guide/index.qmd',
      ],
    ],
    'an include of nothing': [
      website,
      { 'dev.qmd': '{{< include guide/_gone.qmd >}}\n' },
      ['must import dev.qmd:1 include guide/_gone.qmd leads to no file'],
    ],
    'data that a script makes, and what the build makes': [
      website,
      { 'dev.qmd': '[a](data/x.csv) ![plot](dev_files/figure-html/x.png)\n' },
      [],
    ],
    'a page that moves into a folder of parts, which nobody shows': [
      website,
      {
        'posts/one/index.qmd': null,
        'posts/_old/one.qmd': '# One\n\n[a](../../about.qmd) [b](../index.qmd) [c](none/)\n',
      },
      [
        'should redirect _quarto.yml:1 nothing answers at /posts/one any more: posts/one/index.qmd is deleted. Add a redirect from /posts/one: aliases: [/posts/one/] in the front matter of the page for its readers',
      ],
    ],
    'pages of another project': [website, { 'lab/x.qmd': '[gone](none.qmd)\n' }, []],
    'references to sections, and others, which are not judged': [
      book,
      { 'one.qmd': '# One {#sec-one}\n\n@sec-none, @fig-x and [@knuth84].\n' },
      ['must link one.qmd:3 link sec-none leads to no label. Did you mean sec-one?'],
    ],
    'a chapter that no list has': [
      book,
      { 'three.qmd': '# Three\n' },
      [
        'should unlisted three.qmd:1 no reader finds this page: add it to _quarto.yml, where line 5 has the entry index.qmd',
      ],
    ],
  }),
)('Quarto: %s', (_, base, change, problems) => {
  expect(listProblems(base, change)).toEqual(problems);
});

test('a page of Quarto moves with its entries, links and images, and keeps its old address as an alias', () => {
  const about = openTree(toTree(website));
  const moved = movePage(about, { from: 'guide/use.qmd', to: 'start/use.qmd' });
  expect(moved.edits.map(({ file, edits }) => [file, edits.map(({ replacement }) => replacement)])).toEqual([
    ['_quarto.yml', ['start/use.qmd']],
    ['guide/_part.qmd', ['../start/use.qmd']],
  ]);
  expect(moved.addresses).toEqual([{ before: '/guide/use', after: '/start/use' }]);
  expect(moved.redirect?.edits).toMatchObject([
    { file: 'guide/use.qmd', replacement: '---\naliases:\n  - /guide/use.html\n---\n\n' },
  ]);
  const used = deletePage(about, { from: 'guide/use.qmd', to: 'guide/limits.qmd' });
  const _quarto = used.edits.find(({ file }) => file === '_quarto.yml');
  expect(applyEdits(website['_quarto.yml'] ?? '', _quarto?.edits ?? [])).toContain(
    '- guide/install.qmd\n            - guide/limits.qmd\n',
  );
  const deleted = deletePage(about, { from: 'guide/limits.qmd', to: 'guide/use.qmd' });
  expect(deleted.left).toEqual([]);
  expect(deleted.edits).toMatchObject([{ file: '_quarto.yml', edits: [{ replacement: '' }] }]);
});

test('the overview of Quarto names its navigation', () => {
  const { sites } = describeSites(openTree(toTree(website)));
  expect(sites[0]).toMatchObject({
    framework: 'Quarto',
    root: '',
    navigationFile: '_quarto.yml',
    configurationFiles: ['_quarto.yml', '_quarto-dev.yml', '_more.yml'],
  });
});

/** As pandoc 3 makes them. */
test.each([
  ['Tools -- and *data*', 'tools-and-data'],
  ['3. Applications', 'applications'],
  ['What’s new...', 'whats-new'],
  ['Use `--flag` or `a.b`', 'use---flag-or-a.b'],
  ['[Welcome®]{.mark} to [Quarto](https://x.org)', 'welcome-to-quarto'],
  ['Dogs?--in *my* house?[^1]', 'dogsin-my-house'],
  ['Über 33', 'über-33'],
  ['33', 'section'],
])('the id of %s is %s', (heading, id) => {
  expect(pandocSlug(heading)).toBe(id);
});
