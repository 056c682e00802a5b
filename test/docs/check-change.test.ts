import { expect, test } from 'vitest';
import { listProblems as check, checkFiles, type Files } from './support/check-files.ts';
import { rowsOf } from './support/rows-of.ts';

const mintlify: Files = {
  'docs.json': JSON.stringify(
    {
      navigation: { groups: [{ group: 'Start', pages: ['index', 'guides/errors'] }] },
      redirects: [{ source: '/old/:slug*', destination: '/guides/:slug*' }],
    },
    null,
    2,
  ),
  'index.mdx':
    '---\ntitle: Home\n---\n\n[Errors](/guides/errors#retries) <Card href="/guides/errors">All</Card> ![Logo](/images/logo.png)\n',
  'guides/errors.mdx': '---\ntitle: Errors\n---\n\n## Retries\n\n[Home](/)\n',
  'images/logo.png': '',
};

test.each(
  rowsOf<{ base?: Files; change: Record<string, string | null>; problems: string[] }>({
    'a page of Just the Docs whose parent has another title': {
      base: {
        '_config.yml': 'remote_theme: just-the-docs/just-the-docs\n',
        'guides.md': '---\ntitle: Guides\n---\n',
        'limits.md': '---\ntitle: Limits\nparent: Guides\n---\n',
        '_layouts/page.html': '',
      },
      change: { 'guides.md': '---\ntitle: All guides\n---\n' },
      problems: [
        'should navigation limits.md:1 no page has the title Guides, which this page names as its parent: the navigation lacks it',
      ],
    },
    'a figure of Hugo whose image is gone': {
      base: {
        'hugo.toml': '',
        'content/use/index.md': '{{< figure src="a.png" alt="A" >}}\n{{< figure alt="B" src="/b.png" >}}\n',
        ...{ 'content/use/a.png': '', 'static/b.png': '' },
      },
      change: { 'content/use/a.png': null, 'static/b.png': null },
      problems: [
        'must image content/use/index.md:1 image a.png leads to no file: this change deletes content/use/a.png',
        'must image content/use/index.md:2 image /b.png leads to no file: this change deletes static/b.png',
      ],
    },
    nothing: { change: {}, problems: [] },
    'a page that a file is named for, where only its address would lead to another one': {
      base: {
        'source.config.ts': '',
        'content/docs/docker.mdx': '---\ntitle: Docker\n---\n\n## Start\n',
        'content/docs/hosting/upgrade.mdx': '---\ntitle: Upgrade\n---\n\n[Start](../docker.mdx#start)\n',
      },
      change: {
        'content/docs/docker.mdx': null,
        'content/docs/hosting/docker.mdx': '---\ntitle: Docker\n---\n\n## Start\n',
      },
      problems: [
        'must link content/docs/hosting/upgrade.mdx:5 link ../docker.mdx#start leads to no page: this change moves content/docs/docker.mdx to content/docs/hosting/docker.mdx',
      ],
    },
    'a link of Fumadocs to a file that does not begin with a dot': {
      base: { 'source.config.ts': '', 'content/docs/a.mdx': 'a\n', 'content/docs/b.mdx': '[A](./a.mdx)\n' },
      change: { 'content/docs/b.mdx': '[A](a.mdx)\n' },
      problems: ['must link content/docs/b.mdx:1 link a.mdx leads to no page. Did you mean ./a.mdx?'],
    },
    'an anchor of the page that stands for a folder': {
      base: { 'SUMMARY.md': '[Use](use/README.md)\n', 'use/README.md': '## Run it\n', 'a.md': '[Run](use/#run-it)\n' },
      change: { 'use/README.md': '## Start it\n' },
      problems: ['should anchor a.md:1 link use/#run-it: use/README.md has no heading or id for #run-it'],
    },
    'a page of Docusaurus that says that it is MDX': {
      base: { 'docusaurus.config.js': "export default { markdown: { format: 'md' } };", 'docs/a.md': 'a\n' },
      change: { 'docs/a.md': '---\nmdx:\n  format: mdx\n---\n\na <b>\n' },
      problems: [expect.stringMatching(/^must syntax docs\/a\.md:6 the page does not parse: Expected a closing tag/)],
    },
    'a page that moves into a folder whose list has no rest': {
      base: {
        'source.config.ts': '',
        'next.config.mjs': '',
        'content/docs/meta.json': '{"pages": ["index", "use", "..."]}',
        'content/docs/index.mdx': '---\ntitle: Home\n---\n',
        'content/docs/a.mdx': '---\ntitle: A\n---\n\nText that stays.\n',
        'content/docs/use/meta.json': '{"pages": ["b"]}',
        'content/docs/use/b.mdx': '---\ntitle: B\n---\n',
      },
      change: { 'content/docs/a.mdx': null, 'content/docs/use/a.mdx': '---\ntitle: A\n---\n\nText that stays.\n' },
      problems: [
        'should unlisted content/docs/use/a.mdx:1 no reader finds this page: add it to content/docs/use/meta.json, where line 1 has the entry b',
      ],
    },
    'a link of MkDocs to an address that only its file would have': {
      base: { 'mkdocs.yml': '', 'docs/index.md': '', 'docs/setup/use.md': '# Use\n', 'docs/plugins/a.md': '# A\n' },
      change: { 'docs/plugins/a.md': '# A\n\n[a](../setup/use/)\n' },
      problems: ['must link docs/plugins/a.md:3 link ../setup/use/ leads to no page. Did you mean ../setup/use.md?'],
    },
    'a link in a table whose cells have backticks': {
      base: { 'README.md': '' },
      change: { 'README.md': '| Key | Does |\n|---|---|\n| ` | opens |\n| [a](none.md) | ` |\n' },
      problems: ['must link README.md:4 link none.md leads to no page'],
    },
    'a link of MkDocs with versions to a page that does not exist': {
      base: { 'mkdocs.yml': 'plugins:\n  - mike\n', 'docs/a.md': '' },
      change: { 'docs/a.md': '[b](../b.md) [c](c/)\n' },
      problems: [
        expect.stringContaining('link ../b.md leads to no page'),
        expect.stringContaining('link c/ leads to no page'),
      ],
    },
    'a link to a page that does not exist': {
      change: { 'index.mdx': '[Limits](/guides/errrors)\n' },
      problems: [
        'must link index.mdx:1 link /guides/errrors leads to no page. Did you mean /guides/errors (guides/errors.mdx)?',
      ],
    },
    'such links with an anchor that the similar page has, and with one that it does not have': {
      change: { 'index.mdx': '[Retries](/guides/errrors#retries) [Limits](./guides/errrors#limits)\n' },
      problems: [
        'must link index.mdx:1 link /guides/errrors#retries leads to no page. Did you mean /guides/errors#retries (guides/errors.mdx)?',
        'must link index.mdx:1 link ./guides/errrors#limits leads to no page. Did you mean ./guides/errors?',
      ],
    },
    'a component with such a link, and an image without a file': {
      change: { 'index.mdx': '# Home\n\n<Card href="/guides/limits">\n\n![Logo](/images/logo.svg)\n\n</Card>\n' },
      problems: [
        'must link index.mdx:3 link /guides/limits leads to no page',
        'must image index.mdx:5 image /images/logo.svg leads to no file. Did you mean /images/logo.png?',
      ],
    },
    'a heading that another page links to is renamed': {
      change: { 'guides/errors.mdx': '## Try again\n\n[Home](/)\n' },
      problems: [
        'should anchor index.mdx:5 link /guides/errors#retries: guides/errors.mdx has no heading or id for #retries',
      ],
    },
    'an anchor that differs from a heading in its words': {
      change: { 'index.mdx': '[Errors](/guides/errors#retrie)\n\n## Retry them\n\n[Below](#retry-then)\n' },
      problems: [
        'should anchor index.mdx:1 link /guides/errors#retrie: guides/errors.mdx has no heading or id for #retrie. Did you mean #retries?',
        'should anchor index.mdx:5 link #retry-then: index.mdx has no heading or id for #retry-then. Did you mean #retry-them?',
      ],
    },
    'a page is removed that others link to and the navigation lists': {
      change: { 'guides/errors.mdx': null },
      problems: [
        'must link index.mdx:5 link /guides/errors#retries leads to no page: this change deletes guides/errors.mdx',
        'must link index.mdx:5 link /guides/errors leads to no page: this change deletes guides/errors.mdx',
        'must navigation docs.json:8 the entry guides/errors leads to no page: this change deletes guides/errors.mdx',
        'should redirect docs.json:16 nothing answers at /guides/errors any more: guides/errors.mdx is deleted. Add a redirect from /guides/errors in docs.json, where line 16 has /old/:slug* → /guides/:slug*',
      ],
    },
    'a new page that no entry leads to': {
      change: { 'guides/limits.mdx': '## Limits\n' },
      problems: [
        'should unlisted guides/limits.mdx:1 no reader finds this page: add it to docs.json, where line 8 has the entry guides/errors',
      ],
    },
    'a new part of pages needs no entry': { change: { 'snippets/note.mdx': 'Note.\n' }, problems: [] },
    'an address that is redirected': { change: { 'index.mdx': '[Old](/old/errors)\n' }, problems: [] },
    'a variable of a part that no page gives it': {
      base: {
        ...mintlify,
        'snippets/word.mdx': 'A {word}.\n',
        'guides/errors.mdx': '## Retries\n\n<Word word={1} />\n',
      },
      change: { 'snippets/word.mdx': 'A {word} and {other}.\n' },
      problems: [
        'must name snippets/word.mdx:1 {other} is a variable that this page does not declare. Write \\{other\\} for text, or put it in code',
      ],
    },
    'a variable of a part that a page gives it in the same change': {
      change: {
        'snippets/word.mdx': 'A {word}.\n',
        'guides/errors.mdx': 'import Word from \'/snippets/word.mdx\'\n\n## Retries\n\n<Word word="x" />\n',
      },
      problems: [],
    },
    'a variable of the site': {
      change: { 'index.mdx': '[Errors](/guides/errors#retries) of {{api-url}} in {{version}}\n' },
      problems: [],
    },
    'text with a fence behind one that was left open before': {
      base: { ...mintlify, 'NOTES.md': 'A\n\n```\n\nleft open\n' },
      change: { 'NOTES.md': 'A\n\n```\n\nleft open\n\n````md\n```js\na\n```\n````\n' },
      problems: [],
    },
    'a fence behind one that the change leaves open': {
      base: { ...mintlify, 'NOTES.md': 'A\n\n```\na\n```\n' },
      change: { 'NOTES.md': 'A\n\n```\na\n\n```js\nb\n```\n' },
      problems: [
        'must syntax NOTES.md:3 the code fence is not closed before the next one opens (line 6 opens one inside of it). The line: ```',
      ],
    },
    'a navigation that is not JSON': {
      change: { 'docs.json': '{\n  "navigation": {,}\n}' },
      problems: ['must navigation docs.json:2 not valid JSON: ValueExpected'],
    },
    'front matter with a key twice': {
      change: { 'index.mdx': '---\ntitle: A\ntitle: B\n---\n' },
      problems: ['must front-matter index.mdx:3 the front matter is not valid YAML: Map keys must be unique'],
    },
    'front matter with a bracket that is never closed': {
      change: { 'index.mdx': '---\ntitle: [x\n---\n\nText.\n' },
      problems: [expect.stringContaining('must front-matter index.mdx:2 the front matter is not valid YAML')],
    },
    'front matter that is never closed': {
      change: { 'index.mdx': '---\ntitle: A\n\nText.\n' },
      problems: ['must front-matter index.mdx:1 the front matter is not closed by a line ---'],
    },
    'links in code, comments and templates are no links': {
      change: {
        'index.mdx':
          'Write `[a](/b)`.\n\n```md\n[a](/b)\n```\n\n{/* [a](/b) */}\n\n<a href="/{name}">x</a>\n\nexport const x = `\n\n[a](/b)\n`;\n',
      },
      problems: [],
    },
    'what was broken before is not told again, however its file is called now': {
      base: { ...mintlify, 'guides/errors.mdx': '## Retries\n\n[Gone](/gone)\n' },
      change: { 'guides/errors.mdx': '## Retries\n\nMore.\n\n[Gone](/gone)\n' },
      problems: [],
    },
    'a second link to what was broken before is told': {
      base: { ...mintlify, 'guides/errors.mdx': '## Retries\n\n[Gone](/gone)\n' },
      change: { 'guides/errors.mdx': '## Retries\n\n[Gone](/gone) [Again](/gone)\n' },
      problems: ['must link guides/errors.mdx:3 link /gone leads to no page'],
    },
  }),
)('Mintlify: $name', ({ base = mintlify, change, problems }) => {
  expect(check(base, change)).toEqual(problems);
});

const docusaurus: Files = {
  'site/docusaurus.config.ts':
    "export default { presets: [['classic', { docs: { path: '../docs', routeBasePath: '/' } }]], plugins: [['client-redirects', { redirects: [{ from: '/was', to: '/intro' }] }]] };",
  'docs/intro.md':
    '---\nslug: /intro\n---\n\n[By file](guides/01-setup.mdx#step-one) [by address](/guides/setup) [old](/was)\n\n![Logo](/img/logo.png)\n',
  'docs/guides/01-setup.mdx':
    "import Note from '@site/../docs/_note.mdx'\n\n## Step one\n\n[Up](../intro.md)\n\n<Note />\n\n[In the part](#from-the-part)\n",
  'docs/_note.mdx': '## From the part\n',
  'site/static/img/logo.png': '',
};

const vitepress: Files = {
  'docs/.vitepress/config.ts': "export default { rewrites: { 'en/:rest*': ':rest*' } };",
  'docs/en/index.md': '[Guide](./guide/start#_1-install) [same](/guide/start.html) ![x](/logo.svg)\n',
  'docs/en/guide/start.md': '## 1. Install\n\n[Home](/) <!--@include: ./part.md-->\n',
  'docs/en/guide/part.md': 'Part\n',
  'docs/public/logo.svg': '',
};

const mkdocs: Files = {
  'mkdocs.yml':
    'site_name: x\nplugins:\n  - search: !ENV [X, y]\nnav:\n  - Home: index.md\n  - Guides:\n      - guides/setup.md\n',
  'docs/index.md':
    '!!! note\n    [Setup][setup]\n\n    [setup]: guides/setup.md#install-it\n\n[left alone](/anything)\n',
  'docs/guides/setup.md': '## Install it\n',
};

const starlight: Files = {
  'docs/astro.config.mjs': 'export default {};',
  'docs/src/content/docs/index.mdx':
    '---\ntitle: Home\n---\n\n[Guide](/guides/start/) ![Logo](../../assets/logo.png)\n',
  'docs/src/content/docs/guides/start.md':
    '---\ntitle: Start\n---\n\n[Deutsch](/de/guides/start/#übersicht)\n\n## Übersicht\n',
  'docs/src/assets/logo.png': '',
};

const nextra: Files = {
  'next.config.mjs':
    "import nextra from 'nextra'; export default nextra({})({ redirects: () => [{ source: '/was', destination: '/docs' }] });",
  'app/docs/page.mdx': '[Start](/docs/start) [old](/was) [made by the build](/posts/1)\n',
  'app/docs/(more)/start/page.mdx': '## Start [#begin]\n\n[Here](#begin)\n',
  'app/posts/[id]/page.tsx': '',
};

const gitbook: Files = {
  'space/SUMMARY.md': '# Contents\n\n* [Home](README.md)\n* [Setup](<guides/set up.md> "Name")\n',
  'space/README.md': '[Setup](<guides/set up.md#id-1.-install>) <a href="guides/set%20up.md">x</a>\n',
  'space/guides/set up.md': '## 1. Install\n',
};

test.each(
  rowsOf<{ base: Files; page: string; link: string; message: string }>({
    Docusaurus: {
      base: docusaurus,
      page: 'docs/intro.md',
      link: '/guides/setupp',
      message: 'leads to no page. Did you mean /guides/setup (docs/guides/01-setup.mdx)?',
    },
    VitePress: {
      base: vitepress,
      page: 'docs/en/index.md',
      link: './guide/strat',
      message: 'leads to no page. Did you mean ./guide/start?',
    },
    MkDocs: {
      base: mkdocs,
      page: 'docs/index.md',
      link: 'guides/set-up.md',
      message: 'leads to no page. Did you mean guides/setup.md?',
    },
    Starlight: {
      base: starlight,
      page: 'docs/src/content/docs/index.mdx',
      link: '/guides/stort/',
      message: 'leads to no page. Did you mean /guides/start (docs/src/content/docs/guides/start.md)?',
    },
    Nextra: {
      base: nextra,
      page: 'app/docs/page.mdx',
      link: '/docs/strat',
      message: 'leads to no page. Did you mean /docs/start (app/docs/(more)/start/page.mdx)?',
    },
    GitBook: {
      base: gitbook,
      page: 'space/README.md',
      link: 'guides/setup.md',
      message: 'leads to no page. Did you mean guides/set up.md?',
    },
    'Markdown without a framework': {
      base: { 'README.md': '[Use](docs/use.md#run-it)\n', 'docs/use.md': '## Run it\n' },
      page: 'README.md',
      link: 'docs/uses.md',
      message: 'leads to no page. Did you mean docs/use.md?',
    },
  }),
)(
  '$name: the idioms of the site are whole, a wrong link is told with the nearest page',
  ({ base, page, link, message }) => {
    expect(check({}, base)).toEqual([]);
    const broken = `${base[page]}\n[wrong](${link})\n`;
    const line = broken.split('\n').length - 1;
    expect(check(base, { [page]: broken })).toEqual([`must link ${page}:${line} link ${link} ${message}`]);
  },
);

test.each(
  rowsOf<{ base: Files; file: string; text: string; told: string }>({
    Mintlify: {
      base: mintlify,
      file: 'docs.json',
      text: '{"navigation": {"pages": ["index", "guides/error"]}}',
      told: 'must navigation docs.json:1 the entry guides/error leads to no page. Did you mean guides/errors?',
    },
    Starlight: {
      base: starlight,
      file: 'docs/astro.config.mjs',
      text: "export default defineConfig({ integrations: [starlight({ sidebar: ['guides/stort'] })] });",
      told: 'should navigation docs/astro.config.mjs:1 the entry guides/stort leads to no page. Did you mean guides/start?',
    },
    MkDocs: {
      base: { 'mkdocs.yml': 'nav:\n  - index.md\n  - guide.md\n', 'docs/guide.md': '# G\n', 'docs/index.md': '# I\n' },
      file: 'mkdocs.yml',
      text: 'nav:\n  - index.md\n  - guides.md\n',
      told: 'must navigation mkdocs.yml:3 the entry guides.md leads to no page. Did you mean guide.md?',
    },
    GitBook: {
      base: gitbook,
      file: 'space/SUMMARY.md',
      text: '* [Home](README.md)\n* [Setup](guides/setup.md)\n',
      told: 'must navigation space/SUMMARY.md:2 the entry guides/setup.md leads to no page. Did you mean guides/set up.md?',
    },
  }),
)('$name: a wrong entry is told once, with the nearest page in the words of entries', ({ base, file, text, told }) => {
  const ofFile = check(base, { [file]: text }).filter((line) => line.includes(` ${file}:`));
  expect(ofFile).toEqual([told]);
});

test('a page that moves takes its broken links along without being told, and its visitors are lost', () => {
  const base = { ...gitbook, 'space/guides/set up.md': '## 1. Install\n\n[Gone](../gone.md)\n' };
  const moved = {
    'space/guides/set up.md': null,
    'space/guides/install.md': '## 1. Install\n\n[Gone](../gone.md)\n',
    'space/SUMMARY.md': '* [Home](README.md)\n* [Setup](guides/install.md)\n',
  };
  expect(check(base, moved)).toEqual([
    'must link space/README.md:1 link guides/set up.md#id-1.-install leads to no page: this change moves space/guides/set up.md to space/guides/install.md',
    'must link space/README.md:1 link guides/set%20up.md leads to no page: this change moves space/guides/set up.md to space/guides/install.md',
  ]);
});

test('a page that only links lead to is said to lack an entry, not a reader', () => {
  const base = { 'mkdocs.yml': 'nav:\n  - index.md\n', 'docs/index.md': '# A\n' };
  const change = {
    'docs/index.md': '# A\n\n[b](b.md)\n',
    'docs/b.md': '# B\n\n[c](c.md)\n',
    'docs/c.md': '# C\n',
    'docs/d.md': '# D\n\n[e](e.md)\n',
    'docs/e.md': '# E\n\n[d](d.md)\n',
  };
  const unlisted = checkFiles(base, change).problems.filter(({ kind }) => kind === 'unlisted');
  expect(unlisted.map(({ file, message }) => [file, message.split(',')[0]?.split(':')[0]])).toEqual([
    ['docs/b.md', 'the navigation lacks this page'],
    ['docs/c.md', 'the navigation lacks this page'],
    ['docs/d.md', 'no reader finds this page'],
    ['docs/e.md', 'no reader finds this page'],
  ]);
});

test('changed pages of Sphinx count, though nothing of them is parsed', () => {
  const { parsedPages } = checkFiles({ 'conf.py': '', 'index.rst': 'Home\n====\n' }, { 'index.rst': 'Start\n=====\n' });
  expect(parsedPages).toBe(1);
});
