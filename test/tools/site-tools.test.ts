import { expect, test } from 'vitest';
import { sampleKeys } from '../support/values/sample-keys.ts';
import { createToolbox } from './toolbox.ts';

const page = (title: string, body: string) => `---\ntitle: ${title}\n---\n\n${body}\n`;
const files = {
  'docs.json': `${JSON.stringify(
    {
      navigation: {
        languages: [
          { language: 'en', pages: ['index', 'guides/install', 'guides/use'] },
          { language: 'fr', pages: ['fr/guides/install'] },
        ],
      },
      redirects: [{ source: '/old', destination: '/guides/install' }],
    },
    null,
    2,
  )}\n`,
  'index.mdx': page('Home', '[Install](/guides/install) and [Linux](/guides/install#linux).\n\n[Use](/guides/use)'),
  'guides/install.mdx': page('Install', '## Linux\n\n[Use](./use)\n\n## macOS {#mac}\n\ntext'),
  'guides/use.mdx': page('Use', '[Install](./install) first.'),
  'fr/guides/install.mdx': page('Installer', '[Use](/guides/use), [en](/guides/install)'),
  'src/links.ts': "export const home = '/guides/install';\n",
  'token.json': JSON.stringify({ url: '/guides/install', token: sampleKeys['github token'] }),
};

test('a search for references lists what leads to a page by language and file', async () => {
  await using box = await createToolbox(files);
  const expected = [
    'guides/install.mdx is /guides/install; 7 places in 5 files lead to it',
    'other: 4 files',
    'docs.json:8 (navigation):           "guides/install",',
    'docs.json:23 (redirect):       "destination": "/guides/install"',
    'guides/use.mdx:5: [Install](./install) first.',
    'index.mdx:5: [Install](/guides/install) and [Linux](/guides/install#linux).',
    "src/links.ts:1 (mention): export const home = '/guides/install';",
    'fr: 1 file',
    'fr/guides/install.mdx:5: [Use](/guides/use), [en](/guides/install)',
  ];
  for (const target of ['guides/install.mdx', '/guides/install', 'guides/install/', 'guides/install']) {
    expect(await box.lines('search', { output: 'references', pattern: target })).toEqual(expected);
  }
  expect(await box.references('/guides/install#linux')).toContain('1 place in 1 file leads to it with #linux');
  expect(await box.references('/guides/instal')).toContain('did you mean /guides/install?');
});

test('a search for references also lists what names a page as text or in code, without its translations', async () => {
  await using box = await createToolbox({
    'docs.json': files['docs.json'],
    'index.mdx': page('Home', '[Install](/guides/install), https://docs.acme.dev/guides/install#linux'),
    'guides/install.mdx': page('Install', 'This is /guides/install.'),
    'guides/install-more.mdx': page('More', '`/guides/install-more` and `/guides/install/page`'),
    'guides/use.mdx': page('Use', '```md\n[Install](/guides/install)\n```'),
    'fr/guides/install.mdx': page('Installer', '`/fr/guides/install`'),
    'src/links.ts': '// see guides/install.mdx\n',
  });
  const output = await box.references('/guides/install');
  expect(output.split('\n').slice(-4)).toEqual([
    'Also named, as text or in code:',
    'guides/use.mdx:6: [Install](/guides/install)',
    'index.mdx:5: [Install](/guides/install), https://docs.acme.dev/guides/install#linux',
    'src/links.ts:1 (protected): // see guides/install.mdx',
  ]);
  expect(await box.references('/guides/install#linux')).not.toContain('Also named');
});

test('pages that a translation service writes are not named', async () => {
  await using box = await createToolbox({
    ...files,
    'gt.config.json': '{"defaultLocale": "en", "locales": ["fr"]}',
    'guides/use.mdx': page('Use', '`/guides/install`'),
    'fr/guides/use.mdx': page('Use', '`/guides/install`'),
  });
  const output = await box.references('/guides/install');
  expect(output).toContain('Also named, as text or in code:\nguides/use.mdx:5: `/guides/install`');
  expect(output).not.toContain('fr/guides/use.mdx');
});

test('a search for references says whether a page has the anchor that nothing leads to', async () => {
  await using box = await createToolbox(files);
  const find = async (target: string) => await box.references(target);
  expect(await find('/guides/install#mac')).toBe(
    'guides/install.mdx is /guides/install; nothing leads to it with #mac',
  );
  expect(await find('guides/install.mdx#windows')).toBe(
    'guides/install.mdx is /guides/install; it has no heading or id for #windows; nothing leads to it with #windows',
  );
  expect(await find('guides/install.mdx#linus')).toContain('no heading or id for #linus, did you mean #linux?;');
  expect(await find('guides#windows')).toBe('guides; nothing leads to it with #windows');
});

test('a search for references shows only the lines of many places, and how they are written', async () => {
  const pages = Array.from({ length: 11 }, (_, index) => [
    `p${index}.mdx`,
    page('P', '[a](/guides/install)\n\n[b](/guides/install)'),
  ]);
  await using box = await createToolbox({ ...files, ...Object.fromEntries(pages) });
  const output = await box.references('guides/install.mdx');
  expect(output.split('\n')).toEqual(
    expect.arrayContaining([
      'guides/install.mdx is /guides/install; 29 places in 16 files lead to it',
      expect.stringMatching(/^Written as: \/guides\/install \(26\), /),
      'docs.json:8 (navigation), 23 (redirect)',
      'p3.mdx:5, 7',
    ]),
  );
});

test('a search for references takes the path of a page without its extension', async () => {
  await using box = await createToolbox({
    'source.config.ts': '',
    'content/docs/docker.mdx': page('Docker', 'text'),
    'content/docs/a.mdx': page('A', '[Docker](./docker.mdx)'),
  });
  expect(await box.references('content/docs/docker')).toBe(
    'content/docs/docker.mdx is /docs/docker; 1 place in 1 file leads to it\ncontent/docs/a.mdx:5: [Docker](./docker.mdx)',
  );
});

test('delete_file lists what leads to the page, and a search for references still finds it', async () => {
  await using box = await createToolbox(files);
  expect(await box.lines('delete_file', { path: 'guides/use.mdx' })).toEqual([
    'deleted guides/use.mdx',
    'guides/use.mdx (deleted or moved) is /guides/use; 4 places in 4 files lead to it',
    'other: 3 files',
    'docs.json:9 (navigation):           "guides/use"',
    'guides/install.mdx:7: [Use](./use)',
    'index.mdx:7: [Use](/guides/use)',
    'fr: 1 file',
    'fr/guides/install.mdx:5: [Use](/guides/use), [en](/guides/install)',
  ]);
  const output = await box.references('/guides/use');
  expect(output).toContain('guides/use.mdx (deleted or moved) is /guides/use; 4 places in 4 files lead to it');
});

const leftCode = expect.stringMatching(/^src\/links\.ts:1 \(protected because it is neither a page .*\)$/);

test('delete_file leads links, redirects and the address to another page, and removes the entry', async () => {
  await using box = await createToolbox({
    ...files,
    'guides/both.mdx': page('Both', '[on Linux](./install#linux) and [on macOS](./install#mac)'),
    'guides/use.mdx': page('Use', '[Install](./install) first.\n\n## Linux\n\ntext'),
    'snippets/part.mdx': 'text',
    'contact.mdx': page('Contact', '```sh\ncurl https://docs.acme.dev/guides/install\n```'),
  });
  const args = { path: 'guides/install.mdx', redirect_to: '/guides/use' };
  const { output, isError } = await box.call('delete_file', args);
  expect(isError).toBe(true);
  expect(output.split('\n')).toEqual([
    'deleted guides/install.mdx, but not updated:',
    leftCode,
    'updated 8 places in 5 files:',
    'docs.json:8: its entry was removed',
    'docs.json:22:       "destination": "/guides/use"',
    'fr/guides/install.mdx:5: [Use](/guides/use), [en](/guides/use)',
    'guides/both.mdx:5: [on Linux](./use#linux) and [on macOS](./use)',
    'guides/use.mdx:5: [Install](./use) first.',
    'index.mdx:5: [Install](/guides/use) and [Linux](/guides/use#linux).',
    'Stays where it is in other languages: fr/guides/install.mdx',
    expect.stringMatching(/^added a redirect in docs\.json, after line 24/),
    'Still named as text or in code, where nothing was updated:',
    'contact.mdx:6: curl https://docs.acme.dev/guides/install',
  ]);
  expect(JSON.parse(await box.read('docs.json')).navigation.languages[0].pages).toEqual(['index', 'guides/use']);
  expect(await box.read('guides/install.mdx')).toBe('missing');
});

test.each([
  ['a page that does not exist', 'guides/us', 'redirect_to must be another page, without #, and guides/us is none'],
  ['the page itself', 'guides/install.mdx', 'redirect_to must be another page'],
  ['a folder', 'guides', 'redirect_to must be another page'],
])('delete_file deletes nothing where redirect_to is %s', async (_name, target, message) => {
  await using box = await createToolbox(files);
  const result = await box.call('delete_file', { path: 'guides/install.mdx', redirect_to: target });
  expect(result).toMatchObject({ isError: true, output: expect.stringContaining(message) });
  expect(await box.read('guides/install.mdx')).toContain('title: Install');
});

test('list_files with titles shows a page, and the pages of a folder', async () => {
  await using box = await createToolbox(files);
  expect(await box.lines('list_files', { path: 'guides/install.mdx', titles: true })).toEqual([
    'guides/install.mdx is /guides/install; 11 lines',
    'title: Install',
    '5: ## Linux',
    '9: ## macOS {#mac}',
  ]);
  expect(await box.lines('list_files', { path: 'guides', titles: true })).toEqual([
    '2 pages below guides:',
    'install.mdx: Install',
    'use.mdx: Use',
  ]);
  expect(await box.call('list_files', { path: 'none', titles: true })).toMatchObject({ isError: true });
});

test('delete_file of a page that is gone says so, also with redirect_to', async () => {
  await using box = await createToolbox(files);
  await box.call('delete_file', { path: 'guides/install.mdx' });
  const again = await box.call('delete_file', { path: 'guides/install.mdx', redirect_to: 'guides/use.mdx' });
  expect(again.output).toBe(
    'guides/install.mdx is deleted already; change what leads to it, and its redirect, by edit_file',
  );
});

test('move_file shows the title as the page spells it, so that it can be replaced', async () => {
  const page = '---\ntitle: "Install"\n---\n\nText.\n';
  await using box = await createToolbox({ 'docs.json': files['docs.json'], 'guides/install.mdx': page });
  const moved = await box.call('move_file', {
    from: 'guides/install.mdx',
    to: 'guides/set-up.mdx',
  });
  expect(moved.output).toContain('unchanged: title: "Install"\n');
});

test('move_file updates links, navigation and redirects, and names what it leaves', async () => {
  await using box = await createToolbox(files);
  const args = { from: 'guides/install.mdx', to: 'start/set-up.mdx', exclude: 'fr' };
  expect(await box.lines('move_file', args)).toEqual([
    'moved guides/install.mdx to start/set-up.mdx, but not updated:',
    leftCode,
    'unchanged: title: Install',
    'updated 6 places in 4 files:',
    'docs.json:8:           "start/set-up",',
    'docs.json:23:       "destination": "/start/set-up"',
    'start/set-up.mdx:7: [Use](../guides/use)',
    'guides/use.mdx:5: [Install](../start/set-up) first.',
    'index.mdx:5: [Install](/start/set-up) and [Linux](/start/set-up#linux).',
    'not updated:',
    'fr/guides/install.mdx:5 (excluded)',
    'Stays where it is in other languages: fr/guides/install.mdx',
    'added a redirect in docs.json, after line 24: { "source": "/guides/install", "destination": "/start/set-up" }',
    'No other text names guides/install, nor its address.',
  ]);
  expect(JSON.parse(await box.read('docs.json')).redirects).toEqual([
    { source: '/old', destination: '/start/set-up' },
    { source: '/guides/install', destination: '/start/set-up' },
  ]);
  expect(await box.read('guides/use.mdx')).toContain('[Install](../start/set-up) first');
  expect(await box.read('start/set-up.mdx')).toContain('[Use](../guides/use)');
  expect(await box.read('index.mdx')).toContain('(/start/set-up#linux)');
  expect(await box.read('docs.json')).toContain('"start/set-up",');
  expect(await box.output('check', {})).toContain('your changes broke nothing');
});

test('move_file counts the places by file where there are many', async () => {
  const pages = Array.from({ length: 9 }, (_, index) => [`p${index}.mdx`, page('P', '[a](/guides/install)')]);
  await using box = await createToolbox({ ...files, ...Object.fromEntries(pages) });
  const args = { from: 'guides/install.mdx', to: 'start/set-up.mdx' };
  const output = await box.output('move_file', args);
  expect(output.split('\n')).toEqual(
    expect.arrayContaining(['updated 16 places in 14 files:', 'docs.json: 2', 'fr/guides/install.mdx: 1', 'p3.mdx: 1']),
  );
});

test('move_file says which redirect to add where it may not add it', async () => {
  await using box = await createToolbox(files);
  const args = { from: 'guides/install.mdx', to: 'start/set-up.mdx', exclude: 'docs.json' };
  expect(await box.output('move_file', args)).toContain(
    'Its address /guides/install is now /start/set-up. No redirect was added; to keep the old address working, add one in docs.json, after line 24: { "source"',
  );
  expect(JSON.parse(await box.read('docs.json')).redirects).toHaveLength(1);
});

test('move_file moves a folder with its navigation, links and redirects', async () => {
  await using box = await createToolbox({ ...files, 'guides/img/a.svg': '<svg/>', 'start/first.mdx': page('F', 'f') });
  const args = { from: 'guides/', to: 'start' };
  expect(await box.lines('move_file', args)).toEqual([
    'moved 3 files from guides to start, but not updated:',
    leftCode,
    'updated 8 places in 3 files:',
    'docs.json:8:           "start/install",',
    'docs.json:9:           "start/use"',
    'docs.json:23:       "destination": "/start/install"',
    'fr/guides/install.mdx:5: [Use](/start/use), [en](/start/install)',
    'index.mdx:5: [Install](/start/install) and [Linux](/start/install#linux).',
    'index.mdx:7: [Use](/start/use)',
    'Stays where it is in other languages: fr/guides/install.mdx',
    expect.stringMatching(/^Addresses: \/guides\/\* is now \/start\/\*: added 2 redirects, the first in docs.json/),
  ]);
  expect(JSON.parse(await box.read('docs.json')).redirects).toEqual([
    { source: '/old', destination: '/start/install' },
    { source: '/guides/install', destination: '/start/install' },
    { source: '/guides/use', destination: '/start/use' },
  ]);
  expect(await box.read('start/use.mdx')).toContain('[Install](./install) first');
  expect(await box.read('start/img/a.svg')).toBe('<svg/>');
  expect(await box.output('check', { paths: ['docs.json', 'index.mdx', 'fr', 'start/use.mdx'] })).toContain(
    'your changes broke nothing',
  );
});

test('move_file names many translations in one row', async () => {
  const codes = ['de', 'es', 'fr', 'ja', 'ko', 'ru', 'zh'];
  const navigation = codes.map((language) => ({ language, pages: [`${language}/use/a`, `${language}/use/b`] }));
  const pages = ['en', ...codes].flatMap((code) =>
    ['a', 'b'].map((name) => [`${code}/use/${name}.mdx`, page('P', 'p')]),
  );
  const entries = {
    'docs.json': JSON.stringify({
      navigation: { languages: [{ language: 'en', pages: ['en/use/a', 'en/use/b'] }, ...navigation] },
    }),
    ...Object.fromEntries(pages),
  };
  const moveTo = async (from: string, to: string) => {
    await using box = await createToolbox(entries);
    return await box.output('move_file', { from, to });
  };
  expect(await moveTo('en/use/a.mdx', 'en/a.mdx')).toContain(
    'Stays where it is in other languages: {de,es,fr,ja,ko,ru,zh}/use/a.mdx\nIts address /en/use/a is now /en/a',
  );
  expect(await moveTo('en/use', 'en/start')).toContain(
    'Stays where it is in other languages: {de,es,fr,ja,ko,ru,zh}/use (14 files)\nAddresses: /en/use/* is now /en/start/*',
  );
});

test('a folder of too many files does not move at once', async () => {
  const pages = Array.from({ length: 201 }, (_, index) => [`all/p${index}.md`, 'text\n']);
  await using box = await createToolbox(Object.fromEntries(pages));
  expect(await box.call('move_file', { from: 'all', to: 'every' })).toEqual({
    isError: true,
    output: 'all has 201 files; move its folders one by one',
  });
});

test('a folder moves with all files or with none', async () => {
  await using box = await createToolbox({ ...files, 'start/use.mdx': 'taken' });
  const { isError, output } = await box.call('move_file', { from: 'guides', to: 'start' });
  expect({ isError, output }).toEqual({
    isError: true,
    output:
      'nothing was moved, because one file may not move: start/use.mdx exists already; delete it first, or choose another path',
  });
  expect(box.workspace.writes().size).toBe(0);
  expect(await box.call('move_file', { from: 'guides', to: 'guides/old' })).toMatchObject({ isError: true });
  expect(await box.call('move_file', { from: 'gone', to: 'start' })).toMatchObject({ isError: true });
});

test('promise 35: files of secrets are named by no tool of sites', async () => {
  await using box = await createToolbox(files);
  expect(await box.references('/guides/install')).not.toContain('token.json');
  const args = { from: 'guides/install.mdx', to: 'guides/set-up.mdx' };
  expect(await box.output('move_file', args)).not.toContain('token.json');
  await using other = await createToolbox(files);
  const output = await other.output('delete_file', { path: 'guides/install.mdx' });
  expect(output).toContain('src/links.ts');
  expect(output).not.toContain('token.json');
});

test('check lists what was broken before only when it is asked for everything', async () => {
  await using box = await createToolbox({
    ...files,
    'guides/use.mdx': page('Use', '[Install](./install) first, then [more](/guides/gone).\n\n<Card>open'),
    'guides/late.mdx': page('Late', 'less than <5 minutes <Own />'),
  });
  expect(await box.output('check', {})).toContain('your changes broke nothing');
  const output = await box.output('check', { all: true });
  expect(output.split('\n').toSorted()).toEqual([
    'checked links: 8, pages: 5, navigation',
    expect.stringContaining('guides/late.mdx:1: no reader finds this page'),
    expect.stringContaining('guides/late.mdx:5: the page does not parse'),
    'guides/use.mdx:5: link /guides/gone leads to no page',
    expect.stringContaining('guides/use.mdx:7: the page does not parse'),
  ]);
  expect(await box.output('check', { all: true, path: 'index.mdx' })).toContain('nothing is broken in these files');
});

test('a table goes along with the page that includes it, as it is', async () => {
  await using box = await createToolbox({
    'conf.py': '',
    'index.rst': 'Start\n=====\n\n.. toctree::\n\n   a/team\n',
    'a/team.rst': 'Team\n====\n\n.. csv-table::\n   :file: team.csv\n',
    'a/team.csv': 'Ada,ada\n',
    'a/other.csv': 'x\n',
  });
  expect(await box.call('move_file', { from: 'a/team.rst', to: 'b/team.rst' })).toMatchObject({ isError: false });
  expect(await box.output('move_file', { from: 'a/other.csv', to: 'b/other.csv' })).toContain('is protected');
  expect(await box.call('write_file', { path: 'b/team.csv', content: 'Eve,eve\n' })).toMatchObject({ isError: true });
  expect(await box.call('move_file', { from: 'a/team.csv', to: 'b/team.csv' })).toEqual({
    isError: false,
    output:
      'moved a/team.csv to b/team.csv\nupdated 1 place in 1 file:\nb/team.rst:5:    :file: ./team.csv\nNo other text names a/team.csv.',
  });
});
