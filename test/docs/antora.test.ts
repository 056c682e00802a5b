import { expect, test } from 'vitest';
import { deletePage } from '../../src/docs/moves/delete-page.ts';
import { movePage } from '../../src/docs/moves/move-page.ts';
import { findReferences } from '../../src/docs/questions/find-references.ts';
import { tryChange } from '../policy/try-change.ts';
import { type Files, listProblems, openTree, toTree } from './support/check-files.ts';
import { tuplesOf } from './support/rows-of.ts';

const base: Files = {
  'docs/antora.yml': "name: acme\nversion: '2'\nstart_page: index.adoc\nnav:\n  - modules/ROOT/nav.adoc\n",
  'docs/modules/ROOT/nav.adoc':
    '* xref:guide/install.adoc[Install]\n** xref:guide/limits.adoc[]\n* xref:api:rest.adoc#top[REST]\n',
  'docs/modules/ROOT/pages/index.adoc': '= Home\n\nSee xref:guide/install.adoc[].\n',
  'docs/modules/ROOT/pages/guide/install.adoc':
    '= Install\n:page-aliases: old/setup.adoc, api:setup.adoc\n\n[#first]\n== First steps\n\n== {product} setup\n\nSee xref:guide/limits.adoc[].\n',
  'docs/modules/ROOT/pages/guide/limits.adoc': '= Limits\n\n[[sizes]]\n== Of sizes\n\ninclude::partial$note.adoc[]\n',
  'docs/modules/ROOT/partials/note.adoc': '[#noted]\nSee xref:none.adoc[].\n',
  'docs/modules/ROOT/examples/a.py': 'pass\n',
  'docs/modules/ROOT/images/shot.svg': '',
  'docs/modules/api/pages/rest.adoc': '= REST\n',
};

/** A page that is added below `:page-…`, with its entry, and its problems. */
test.each(
  tuplesOf<[string, string[]?]>({
    'pages of the module and of another': ['xref:index.adoc[] xref:api:rest.adoc[a] xref:./limits.adoc[]'],
    'pages that are missing': [
      'xref:none.adoc[] xref:api:none.adoc[]',
      ['link api:none.adoc leads to no page', 'link none.adoc leads to no page'],
    ],
    'other components, versions and modules': [
      'xref:other:api:x.adoc[] xref:1@index.adoc[] xref:gone:x.adoc[] xref:other::x.adoc[]',
    ],
    'the own component by its name': [
      'xref:acme::none.adoc[] xref:acme:api:rest.adoc[]',
      ['link acme::none.adoc leads to no page'],
    ],
    'aliases of pages': ['xref:old/setup.adoc[] xref:api:setup.adoc[]'],
    anchors: [
      'xref:guide/limits.adoc#sizes[] xref:guide/limits.adoc#_of_sizes[] xref:guide/limits.adoc#of-sizes[] xref:guide/limits.adoc#noted[] xref:guide/limits.adoc#none[]',
      ['link guide/limits.adoc#none: docs/modules/ROOT/pages/guide/limits.adoc has no heading or id for #none'],
    ],
    'text that a build may leave out, and ids with attributes': [
      ':prefix: k8s\n\nifdef::cloud[]\nxref:none.adoc[]\nendif::[]\n\nxref:gone.adoc[] ifdef::cloud[xref:index.adoc[]]\n\n[id="{prefix}-api"]\nText <<k8s-api>>',
      ['link gone.adoc leads to no page'],
    ],
    'an anchor beside headings that attributes make': ['xref:guide/install.adoc#acme-setup[]'],
    'anchors of the page itself': [
      '[[here]]\n== Some title\n\n<<here>> <<Some title>> xref:#here[] <<none,text>>',
      ['link none: docs/modules/ROOT/pages/guide/new.adoc has no heading or id for #none'],
    ],
    'an address without an extension': ['xref:guide/none#x[]', ['link guide/none#x leads to no page']],
    'an address of the web': [
      'xref:https://acme.dev[a] link:https://acme.dev[b]',
      ['link https://acme.dev leads to no page'],
    ],
    attributes: ['xref:{page}.adoc[] image::{dir}/x.png[] include::{dir}/x.adoc[]'],
    images: [
      'image::shot.svg[] image:none.png[] image::https://example.com/x.png[]',
      ['image none.png leads to no file'],
    ],
    'includes, in code, too': [
      '----\ninclude::example$a.py[]\ninclude::example$none.py[]\n----\n\ninclude::partial$none.adoc[]',
      ['include example$none.py leads to no file', 'include partial$none.adoc leads to no file'],
    ],
    'code and comments': [
      '----\nxref:none.adoc[]\n----\n\n// xref:none.adoc[]\n\n////\nxref:none.adoc[]\n////\n\n`+xref:none.adoc[]+` \\xref:none.adoc[]\n\n```\nxref:none.adoc[]\n```',
    ],
    'pages in tables and blocks': [
      '|===\n|xref:none.adoc[]\n|===\n\n====\nxref:gone.adoc[]\n====',
      ['link gone.adoc leads to no page', 'link none.adoc leads to no page'],
    ],
  }),
)('Antora: %s', (_, text, problems = []) => {
  const found = listProblems(base, {
    'docs/modules/ROOT/pages/guide/new.adoc': `= New\n\n${text}\n`,
    'docs/modules/ROOT/nav.adoc': `${base['docs/modules/ROOT/nav.adoc']}* xref:guide/new.adoc[]\n`,
  });
  expect(found.map((line) => line.replace(/^\S+ \S+ \S+ |\. Did you mean.*/g, '')).toSorted()).toEqual(problems);
});

test('entries and pages of Antora without one are told', () => {
  const page = 'docs/modules/ROOT/pages/guide/new.adoc';
  expect(listProblems(base, { [page]: '= New\n' })).toEqual([
    `should unlisted ${page}:1 no reader finds this page: add it to docs/modules/ROOT/nav.adoc, where line 1 has the entry guide/install.adoc`,
  ]);
  expect(listProblems(base, { 'docs/modules/ROOT/nav.adoc': '* xref:guide/none.adoc[]\n' })[0]).toContain(
    'the entry guide/none.adoc leads to no page',
  );
  expect(listProblems(base, { 'docs/antora.yml': 'nav: [\n' })[0]).toContain('not valid YAML');
});

const open = (files: Files) => openTree(toTree(files));
const listEdits = ({ edits }: ReturnType<typeof movePage>) =>
  edits.flatMap(({ file, edits: inside }) =>
    inside.map(({ line, replacement }) => `${file.slice(13)}:${line} ${replacement}`),
  );

test('a page of Antora moves to another module, with its entries and links', () => {
  const move = movePage(open(base), {
    from: 'docs/modules/ROOT/pages/guide/install.adoc',
    to: 'docs/modules/api/pages/start.adoc',
  });
  expect(listEdits(move)).toEqual([
    'ROOT/nav.adoc:1 api:start.adoc',
    'ROOT/pages/guide/install.adoc:9 ROOT:guide/limits.adoc',
    'ROOT/pages/index.adoc:3 api:start.adoc',
  ]);
});

test('a part of Antora moves with its includes', () => {
  const move = movePage(open(base), {
    from: 'docs/modules/ROOT/partials/note.adoc',
    to: 'docs/modules/ROOT/partials/b/note.adoc',
  });
  expect(listEdits(move)).toEqual(['ROOT/pages/guide/limits.adoc:6 partial$b/note.adoc']);
});

test('a page of Antora is deleted in favour of another', () => {
  const move = deletePage(open(base), {
    from: 'docs/modules/ROOT/pages/guide/limits.adoc',
    to: 'docs/modules/ROOT/pages/index.adoc',
  });
  expect(listEdits(move)).toEqual(['ROOT/nav.adoc:2 ', 'ROOT/pages/guide/install.adoc:9 index.adoc']);
  expect(findReferences(open(base), { target: 'docs/modules/ROOT/pages/guide/limits.adoc' })).toMatchObject({
    files: [{ file: 'docs/modules/ROOT/nav.adoc' }, { file: 'docs/modules/ROOT/pages/guide/install.adoc' }],
  });
});

test('of antora.yml, only the navigation and the start page may change', async () => {
  const text = base['docs/antora.yml'] ?? '';
  expect(await tryChange(base, 'docs/antora.yml', `${text}  - modules/api/nav.adoc\n`)).toBeUndefined();
  expect(await tryChange(base, 'docs/antora.yml', text.replace('index.adoc', 'guide/install.adoc'))).toBeUndefined();
  expect(await tryChange(base, 'docs/antora.yml', `${text}ext:\n  collector: []\n`)).toContain('cannot be written');
  expect(await tryChange(base, 'docs/modules/ROOT/nav.adoc', '* xref:index.adoc[Home]\n')).toBeUndefined();
});
