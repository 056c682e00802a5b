import { expect, test } from 'vitest';
import { type Files, listProblems } from './support/check-files.ts';
import { rowsOf } from './support/rows-of.ts';

const mkdocs = (more = ''): Files => ({ 'mkdocs.yml': `site_name: x\n${more}`, 'docs/index.md': '# Home\n' });
const mintlify: Files = { 'docs.json': '{"navigation":{"pages":["index"]}}', 'index.mdx': 'Home\n' };
const sphinx: Files = {
  'docs/conf.py':
    "extensions = ['sphinx.ext.intersphinx']\nintersphinx_mapping = {'py': ('https://docs.python.org', None)}\n",
  'docs/index.rst': 'Home\n====\n\n.. toctree::\n\n   faq\n',
  'docs/faq.rst':
    'FAQ\n===\n\n.. _a place:\n.. _the same:\n\nSome text.\n\n.. _a title:\n\nTitle\n-----\n\nText\n\n.. _a figure:\n\n.. figure:: x.png\n',
  'docs/x.png': '',
};

/** A page that is changed, and what is wrong with its links. */
test.each(
  rowsOf<{ base: Files; page: string; text: string; problems?: string[] }>({
    'a link by reference that nothing defines': {
      base: mkdocs(),
      page: 'docs/index.md',
      text: '# Home\n\n[text][none] [`code`][] [A  b][] [text][a B]\n\n[a b]: https://acme.dev\n',
      problems: ['3 [text][none] is no link: none is not defined', '3 [`code`][] is no link: `code` is not defined'],
    },
    'addresses with spaces, and brackets that are missing': {
      base: mintlify,
      page: 'index.mdx',
      text: '[a](#two words) [b](/use it now.\n\n[c]/guide/use.html) [d](/use "A title") [e](/use ) (see [f]/g) ![g](./a b.png)\n',
      problems: [
        '3 link /use leads to no page',
        '3 link /use leads to no page',
        '1 the link to #two has a space in its address, or no ) behind it, so it is no link',
        '1 the link to /use has a space in its address, or no ) behind it, so it is no link',
        '3 the link to ./a has a space in its address, or no ) behind it, so it is no link',
        '3 the brackets of the link to /guide/use.html are mixed up: write [text](address)',
      ],
    },
    'text and address apart, addresses over two lines, and names of protocols that do not exist': {
      base: mintlify,
      page: 'index.mdx',
      text: 'See [the guide](https://acme.dev/a/\nmore/b.html), [the\nlimits] (#limits) or\n[all of it]\n(use.md).\n\n[one])(https://acme.dev) [two](hhttps://acme.dev) [three](htps://acme.dev) [ssh](ssh://acme.dev)\n\n- [x] (use.md) [1] (#a) [Ada Lovelace] (#1554) [known] (#b) [four](https://acme.dev/\n"A title")\n\n[known]: https://acme.dev\n\n[five]((/use) [six]((#a))\n',
      problems: [
        '7 link hhttps://acme.dev leads to no page. Did you mean https://acme.dev?',
        '7 link htps://acme.dev leads to no page. Did you mean https://acme.dev?',
        '14 link (#a) leads to no page',
        '2 [the limits] stands apart from (#limits), so it is no link: write them together',
        '4 [all of it] stands apart from (use.md), so it is no link: write them together',
        '1 the link to https://acme.dev/a/ has a space in its address, or no ) behind it, so it is no link',
        '14 the address (/use has a ( too much',
        '7 the brackets of the link to https://acme.dev are mixed up: write [text](address)',
      ],
    },
    'slashes and brackets that stand twice in addresses of Jekyll': {
      base: { '_config.yml': 'baseurl: /docs\n', 'index.md': '# Home\n', 'use.md': '# Use\n' },
      page: 'index.md',
      text: '# Home\n\n[a]({{site.url}}{{site.baseurl}}//use/) [b](({{site.url}}{{site.baseurl}}/use/)) [c]({{ site.url }}/{{ site.baseurl }}/use/) [d]({{site.url}}{{site.baseurl}}/use/) [e]({{site.baseurl}}/use)\n',
      problems: [
        '3 the address {{site.url}}{{site.baseurl}}//use/ has a / too much',
        '3 the address ({{site.url}}{{site.baseurl}}/use/ has a ( too much',
        '3 the address {{ site.url }}/{{ site.baseurl }}/use/ has a / too much',
      ],
    },
    'files in attributes of Docusaurus, which name addresses': {
      base: { 'docusaurus.config.js': '', 'docs/a.md': '# A\n' },
      page: 'docs/b.md',
      text: '<a href="/docs/a.md">A</a> <a href="/docs/a">A</a> [x](/docs/a.md)\n',
      problems: ['1 link /docs/a.md leads to no page. Did you mean /docs/a (docs/a.md)?'],
    },
    'a definition that another one hides': {
      base: mintlify,
      page: 'index.mdx',
      text: '[a][x] [b][same]\n\n[x]: https://acme.dev/1\n[x]: https://acme.dev/2\n[same]: /\n[Same]: /\n',
      problems: ['4 [x] is defined twice, as https://acme.dev/1 and as https://acme.dev/2'],
    },
    'links without an address, to the own computer, and of an editor': {
      base: mintlify,
      page: 'index.mdx',
      text: '[text]() [`a`]( ) ![]() f[x]() \\[x]() [b](mdc:docs/b) [c](file:///home/c) [d](vscode:extension/x)\n',
      problems: [
        '1 link mdc:docs/b leads to no page',
        '1 link file:///home/c leads to no page',
        '1 [text]() has no address',
        '1 [`a`]() has no address',
      ],
    },
    'brackets of links that are mixed up': {
      base: mintlify,
      page: 'index.mdx',
      text: '(a)[https://acme.dev] [b](https://acme.dev](c) [d](https://acme.dev/1]) (e)[https://x.dev](https://x.dev) [f](https://acme.dev/[g]) [h])https://acme.dev/2) [i]https://acme.dev/3) [j](a/b.md]. [k] (https://acme.dev)\n',
      problems: [
        '1 the brackets of the link to https://acme.dev are mixed up: write [text](address)',
        '1 the brackets of the link to https://acme.dev](c are mixed up: write [text](address)',
        '1 the brackets of the link to https://acme.dev/1] are mixed up: write [text](address)',
        '1 the brackets of the link to https://acme.dev/2 are mixed up: write [text](address)',
        '1 the brackets of the link to https://acme.dev/3 are mixed up: write [text](address)',
        '1 the brackets of the link to a/b.md are mixed up: write [text](address)',
      ],
    },
    'targets of reStructuredText that are none': {
      base: sphinx,
      page: 'docs/faq.rst',
      text: 'FAQ\n===\n\n.. _none\n.. _url: https://acme.dev>\n.. _fine: https://acme.dev\n.. _also <fine>: https://acme.dev\n',
      problems: [
        '4 .. _none is no target: a colon is missing',
        '5 .. _url: https://acme.dev> is no target: its > is too much',
      ],
    },
    'a link of Markdown in reStructuredText': {
      base: sphinx,
      page: 'docs/faq.rst',
      text: 'FAQ\n===\n\n[a](https://acme.dev) ``[b](https://acme.dev)``\n',
      problems: ['4 the link to https://acme.dev is Markdown: write `text <address>`__'],
    },
    'a page with a slash behind its ending': {
      base: { ...mkdocs(), 'docs/use.md': '# Use\n' },
      page: 'docs/index.md',
      text: '# Home\n\n[a](use.md/#use) [b](use/#use)\n',
      problems: ['3 link use.md/#use leads to no page. Did you mean use.md#use?'],
    },
    'addresses of VitePress, which are those of files': {
      base: { '.vitepress/config.ts': 'export default {}', 'guide/index.md': '# Guide\n', 'guide/use.md': '# Use\n' },
      page: 'a.md',
      text: '[a](/guide) [b](/guide.html) [c](/guide/use/) [d](/Guide/use) [e](guide/) [f](/guide/index.html) [g](./guide/use) <a href="/guide">h</a>\n',
      problems: [
        '1 link /guide leads to no page. Did you mean /guide/ (guide/index.md)?',
        '1 link /guide.html leads to no page. Did you mean /guide/ (guide/index.md)?',
        '1 link /guide/use/ leads to no page. Did you mean /guide/use (guide/use.md)?',
        '1 link /Guide/use leads to no page. Did you mean /guide/use (guide/use.md)?',
      ],
    },
    'relative links of VitePress, which are not relative to the folder of all pages': {
      base: { '.vitepress/config.ts': 'export default {}', 'guide/index.md': '# Guide\n', 'guide/use.md': '# Use\n' },
      page: 'guide/index.md',
      text: '[a](guide/use) [b](use.html)\n',
      problems: ['1 link guide/use leads to no page. Did you mean use?'],
    },
    'addresses of Docusaurus: the case counts, and no ending of a file is guessed': {
      base: {
        'docusaurus.config.ts':
          "import type * as Docs from '@docusaurus/plugin-content-docs'; export default { presets: [['classic', { docs: { path: 'pages' } }]] };",
        'pages/use.md': '# Use\n',
      },
      page: 'pages/a.mdx',
      text: '[a](Use) [b](/docs/use) [c](/use) <a href="/use">d</a>\n',
      problems: [
        '1 link Use leads to no page. Did you mean use?',
        '1 link /use leads to no page. Did you mean /docs/use (pages/use.md)?',
        '1 link /use leads to no page. Did you mean /docs/use (pages/use.md)?',
      ],
    },
    'what only looks like a link by reference': {
      base: mintlify,
      page: 'index.mdx',
      text: 'a[b][c] [1][2] [x][^1] [-a][--all] `[a][b]` {[[1, 2][0]]} \\[a][b] [@one][@two] [ ][x] [text][]\n\n```\n[a][b]\n```\n\n{/* [a][b] */}\n',
      problems: ['1 [text][] is no link: text is not defined'],
    },
    'links by reference where a plugin or an include may define them': {
      base: mkdocs('plugins: [autorefs]\n'),
      page: 'docs/index.md',
      text: '# Home\n\n[text][none]\n',
    },
    'links by reference beside an include': {
      base: { 'book.toml': '', 'src/SUMMARY.md': '- [A](a.md)\n', 'src/a.md': '# A\n', 'src/links.md': '[x]: /\n' },
      page: 'src/a.md',
      text: '# A\n\n[text][x]\n\n{{#include links.md}}\n',
    },
    'marks of links in reStructuredText that are not whole': {
      base: sphinx,
      page: 'docs/index.rst',
      text: 'Home\n====\n\n`a <https://acme.dev>` `acme_` `b <acme>`_ `c <issue tracker>`__ `d <_acme>`_\n\n.. _acme: https://acme.dev\n\n.. toctree::\n\n   faq\n',
      problems: [
        '4 <https://acme.dev> is no link: `__ belongs behind it',
        '4 `acme_` is no link: write `acme`_',
        '4 <acme> is an address here: write <acme_> for the link of this name',
        '4 <issue tracker> is an address here: write <issue tracker_> for the link of this name',
        '4 <_acme> is an address here: write <acme_> for the link of this name',
      ],
    },
    'whole links in reStructuredText': {
      base: sphinx,
      page: 'docs/index.rst',
      text: 'Home\n====\n\n`a <https://acme.dev>`_ acme_ `b <acme_>`_ :doc:`c <faq>` `d <faq.html>`_ ``e <https://x.dev>`` :pep:`f <8>` `g\n<https://acme.dev/\na>`__ `name_` `h <https://x.dev>`:role:\n\n.. _acme: https://acme.dev\n\n.. toctree::\n\n   faq\n',
    },
    'references without text to labels without title, and to documents': {
      base: sphinx,
      page: 'docs/index.rst',
      text: 'Home\n====\n\n:ref:`a place` :ref:`the same` :ref:`text <a place>` :ref:`a title` :ref:`a figure` :ref:`faq` :ref:`of another project`\n\n.. toctree::\n\n   faq\n',
      problems: [
        '4 link a place shows no text: this label has no title. Write `text <a place>`',
        '4 link the same shows no text: this label has no title. Write `text <the same>`',
        '4 link faq leads to no label',
      ],
    },
    'sections of a book of Quarto': {
      base: {
        '_quarto.yml': 'project:\n  type: book\nbook:\n  chapters: [index.qmd, a.qmd]\n',
        'index.qmd': '# Home\n',
        'a.qmd': '# A {#sec-a}\n',
      },
      page: 'index.qmd',
      text: '# Home\n\nSee @sec-a, [@sec-none] and @fig-none; mail me@sec-none.dev, `@sec-code`.\n',
      problems: ['3 link sec-none leads to no label'],
    },
    'relative links of Hugo where the theme leaves them as they are': {
      base: {
        'hugo.toml': "theme = ['docsy']\n",
        'content/docs/a.md': '# A\n',
        'content/docs/b.md': '# B\n',
      },
      page: 'content/docs/a.md',
      text: '# A\n\n[b](b) [b](../b/)\n',
      problems: ['3 link b leads to no page. Did you mean b.md?'],
    },
    'relative links of Hugo with several languages, which Hugo looks for': {
      base: {
        'hugo.toml': "theme = ['docsy']\n[languages.en]\nweight = 1\n[languages.de]\nweight = 2\n",
        'content/docs/a.md': '# A\n',
        'content/docs/b.md': '# B\n',
      },
      page: 'content/docs/a.md',
      text: '# A\n\n[b](b) [b](../b/)\n',
    },
    'a file that a page includes, with links from there': {
      base: {
        ...sphinx,
        'docs/conf.py': "extensions = ['myst_parser']\n",
        'docs/changes.md': '```{include} ../CHANGELOG.md\n:relative-docs: docs/\n```\n',
        'CHANGELOG.md': '# Changes\n',
      },
      page: 'CHANGELOG.md',
      text: '# Changes\n\n[faq](faq) [place](#a-place)\n',
    },
  }),
)('$name', ({ base, page, text, problems = [] }) => {
  expect(listProblems(base, { [page]: text }).map((line) => line.replace(/^(?:must|should) \w+ [^:]+:/, ''))).toEqual(
    problems,
  );
});
