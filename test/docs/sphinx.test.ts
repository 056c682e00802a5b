import { expect, test } from 'vitest';
import { deletePage } from '../../src/docs/moves/delete-page.ts';
import { movePage } from '../../src/docs/moves/move-page.ts';
import { findReferences } from '../../src/docs/questions/find-references.ts';
import { openSites } from '../../src/docs/sites/open-sites.ts';
import { type Files, listProblems, openTree, toTree } from './support/check-files.ts';
import { tuplesOf } from './support/rows-of.ts';

const base: Files = {
  'docs/conf.py': "extensions = ['myst_parser', 'sphinx_design']\nexclude_patterns = ['parts/*.rst']\n",
  'docs/index.rst':
    'Home\n====\n\n.. toctree::\n   :caption: Guides\n   :glob:\n\n   Install it <guides/install>\n   guides/limits\n   more/*\n   self\n   https://example.com\n   genindex\n',
  'docs/guides/install.rst': '.. _install now:\n\nInstall\n=======\n\nFirst steps\n-----------\n\nSee :doc:`limits`.\n',
  'docs/guides/limits.md': '(limits)=\n# Limits\n\n## Sizes\n\nSee {ref}`install now` and {doc}`/guides/install`.\n',
  'docs/more/a.rst': 'A\n=\n\n.. include:: /parts/note.rst\n',
  'docs/parts/note.rst': '.. _in a part:\n\n.. note:: Read :doc:`guides/limits`.\n',
  'docs/code/x.py': 'pass\n',
};

/** A page that is added, below its directive `:orphan:`, and its problems. */
test.each(
  tuplesOf<[string, string[]?, string?]>({
    documents: [
      ':doc:`/guides/install` :doc:`text <guides/limits>` :doc:`guides/none`',
      ['link guides/none leads to no page'],
    ],
    'documents of another project': [':doc:`python:library/json` :doc:`search`'],
    'a name that leads out of the folder': [':doc:`../../index`'],
    'labels in any case, and broken over lines': [':ref:`Install\nNow` :ref:`text\n<limits>`'],
    'a label of an included part': [':ref:`in a part`'],
    'a label that nobody has': [':ref:`none`', ['link none leads to no label']],
    'labels of other domains': [':py:func:`none` :term:`none` :option:`--none` :ref:`python:none`'],
    'a label at a list item': ['* .. _deep:\n\n  Text :ref:`text <deep>`.'],
    literals: [
      'Write ``:doc:`none```.\n\nCode::\n\n   :doc:`none`\n\n>>> ":doc:`none`"\n\n.. code-block:: rst\n\n   :ref:`none`\n\n.. :doc:`none` in a comment\n   :ref:`none`',
    ],
    'an image and a download': [
      '.. image:: none.png\n\n:download:`code/x.py` :download:`code/none.py`',
      ['image none.png leads to no file', 'link code/none.py leads to no file'],
    ],
    'files that are included': [
      '.. literalinclude:: code/x.py\n.. include:: /parts/none.rst\n\n.. include:: <isonum.txt>',
      ['include /parts/none.rst leads to no file'],
    ],
    entries: [
      '.. toctree::\n\n   guides/install\n   Title <guides/none>\n',
      ['the entry guides/none leads to no page'],
    ],
    'roles in other directives': [
      '.. note::\n\n   See :doc:`none`.\n\n.. py:function:: f(x)\n\n   :ref:`none`',
      ['link none leads to no label', 'link none leads to no page'],
    ],
    'a card': [
      '.. grid-item-card:: Title\n   :link: none\n   :link-type: doc\n\n.. grid-item-card:: Title\n   :link: limits\n   :link-type: ref',
      ['link none leads to no page'],
    ],
    'addresses of the site': ['`a <guides/install.html>`_ `b <https://example.com>`__ `c <_static/none.pdf>`_'],
    'roles of MyST': [
      '{doc}`guides/none` ``{doc}`none` `` {ref}`none` {py:mod}`none`',
      ['link guides/none leads to no page', 'link none leads to no label'],
      'md',
    ],
    'fences of MyST': [
      '```{note}\n[a](guides/none.md)\n```\n\n```python\n[a](none.md)\n```\n\n:::{figure} none.png\n:name: fig\n:::\n\n{ref}`fig`',
      ['image none.png leads to no file', 'link guides/none.md leads to no page'],
      'md',
    ],
    'links of MyST': [
      '[a](guides/limits.md#sizes) [b](/guides/install) [c](limits) [d](#limits) [e](guides/limits.md#none)',
      ['link guides/limits.md#none: docs/guides/limits.md has no heading or id for #none'],
      'md',
    ],
    'reStructuredText in MyST': ['```{eval-rst}\n:doc:`none`\n```', ['link none leads to no page'], 'md'],
  }),
)('Sphinx: %s', (_, text, problems = [], extension = 'rst') => {
  const front = extension === 'md' ? '---\norphan: true\n---\n\n# New\n\n' : ':orphan:\n\nNew\n===\n\n';
  const found = listProblems(base, { [`docs/new.${extension}`]: `${front}${text}\n` });
  expect(found.map((line) => line.replace(/^\S+ \S+ \S+ |\. Did you mean.*/g, '')).toSorted()).toEqual(problems);
});

test('a label that other projects may have is missed where the change takes it away', () => {
  const shared = {
    ...base,
    'docs/conf.py': `${base['docs/conf.py']}intersphinx_mapping = {'python': ('https://x.org', None)}\n`,
  };
  const orphan = ':orphan:\n\nA\n=\n\n:ref:`whatsnew`\n';
  expect(listProblems(shared, { 'docs/new.rst': orphan })).toEqual([]);
  expect(listProblems(shared, { 'docs/guides/install.rst': 'Install\n=======\n' })).toEqual([
    'must link docs/guides/limits.md:6 link install now leads to no label',
  ]);
});

test('a page in no toctree is told, unless it says so, is included, or an extension lists it', () => {
  const page = 'New\n===\n';
  expect(listProblems(base, { 'docs/more/b.rst': page })).toEqual([]);
  expect(listProblems(base, { 'docs/guides/b.rst': page })).toEqual([
    'should unlisted docs/guides/b.rst:1 no reader finds this page: add it to docs/index.rst, where line 8 has the entry guides/install',
  ]);
  const other = { ...base, 'docs/conf.py': "extensions = ['sphinx.ext.autosummary', 'myst_parser']\n" };
  expect(listProblems(other, { 'docs/guides/b.rst': page })).toEqual([]);
});

test('pages that extensions make are not told, beside others they are', () => {
  const conf = { 'docs/conf.py': "extensions = ['autoapi.extension']\n", 'docs/index.rst': 'Home\n====\n' };
  const text = (target: string) => ({ 'docs/index.rst': `Home\n====\n\n.. toctree::\n\n   ${target}\n` });
  expect(listProblems(conf, text('autoapi/index'))).toEqual([]);
  expect(listProblems(conf, text('none'))).toHaveLength(1);
});

test('a folder with several sources, and redirects of conf.py', () => {
  const files = {
    'docs/conf.py': "redirects = {\n    # moved\n    'old/page': '../new.html',\n}\n",
    'docs/user/index.rst': 'Home\n====\n',
    'docs/dev/index.rst': 'Home\n====\n',
  };
  const sites = openSites(toTree(files)).filter(({ framework }) => framework.name === 'Sphinx');
  expect(sites.map(({ root }) => root)).toEqual(['docs/user', 'docs/dev']);
  expect(sites[0]?.redirects).toMatchObject([{ from: '/old/page', to: '../new.html', line: 3 }]);
});

const open = (files: Files) => openTree(toTree(files));
const listEdits = ({ edits }: ReturnType<typeof movePage>) =>
  edits.flatMap(({ file, edits: inside }) => inside.map(({ line, replacement }) => `${file}:${line} ${replacement}`));

test('a page of Sphinx moves with its entries and documents; labels stay', () => {
  const move = movePage(open(base), { from: 'docs/guides/install.rst', to: 'docs/start/install.rst' });
  expect(listEdits(move)).toEqual([
    'docs/guides/install.rst:9 ../guides/limits',
    'docs/guides/limits.md:6 /start/install',
    'docs/index.rst:8 start/install',
  ]);
  expect(move.left).toEqual([]);
});

test('a page of Sphinx is deleted in favour of another', () => {
  const move = deletePage(open(base), { from: 'docs/guides/install.rst', to: 'docs/guides/limits.md' });
  expect(listEdits(move)).toEqual([
    'docs/guides/limits.md:6 limits',
    'docs/guides/limits.md:6 /guides/limits',
    'docs/index.rst:8 ',
  ]);
});

test('references to a label are found by its name', () => {
  const found = findReferences(open(base), { target: 'docs/guides/install.rst#install now' });
  expect(found).toMatchObject({
    lostAnchor: undefined,
    files: [{ file: 'docs/guides/limits.md', places: [{ line: 6 }] }],
  });
});
