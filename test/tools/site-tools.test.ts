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

test('find_references lists what leads to a page by language and file', async () => {
  await using box = await createToolbox(files);
  const expected = [
    'guides/install.mdx is /guides/install; 7 places in 5 files lead to it',
    expect.stringMatching(/^Written as: \/guides\/install \(4\), /),
    'other: 4 files',
    'docs.json:8 (navigation), 23 (redirect)',
    'guides/use.mdx:5',
    'index.mdx:5, 5',
    'src/links.ts:1 (mention)',
    'fr: 1 file',
    'fr/guides/install.mdx:5',
  ];
  for (const target of ['guides/install.mdx', '/guides/install', 'guides/install/']) {
    expect((await box.call('find_references', { target })).output.split('\n')).toEqual(expected);
  }
  expect((await box.call('find_references', { target: '/guides/install#linux' })).output).toContain(
    '1 place in 1 file lead to it with #linux',
  );
  expect((await box.call('find_references', { target: '/guides/instal' })).output).toContain(
    'did you mean /guides/install?',
  );
});

test('find_references finds what led to a page that was deleted', async () => {
  await using box = await createToolbox(files);
  await box.call('delete_file', { path: 'guides/use.mdx' });
  const { output } = await box.call('find_references', { target: '/guides/use' });
  expect(output).toContain('guides/use.mdx (deleted or moved) is /guides/use; 4 places in 4 files lead to it');
});

test('outline shows a page, and the pages of a folder', async () => {
  await using box = await createToolbox(files);
  expect((await box.call('outline', { path: 'guides/install.mdx' })).output.split('\n')).toEqual([
    'guides/install.mdx is /guides/install; 12 lines',
    'title: Install',
    '5: ## Linux',
    '9: ## macOS {#mac}',
  ]);
  expect((await box.call('outline', { path: 'guides' })).output.split('\n')).toEqual([
    '2 pages below guides:',
    'install.mdx: Install',
    'use.mdx: Use',
  ]);
  expect(await box.call('outline', { path: 'none' })).toMatchObject({ isError: true });
});

test('move_file updates links, navigation and redirects, and names what it leaves', async () => {
  await using box = await createToolbox(files);
  const args = { from: 'guides/install.mdx', to: 'start/set-up.mdx', update_links: true, exclude: 'fr' };
  expect((await box.call('move_file', args)).output.split('\n')).toEqual([
    'moved guides/install.mdx to start/set-up.mdx',
    'updated 6 places in 4 files:',
    'docs.json: 2',
    'start/set-up.mdx: 1',
    'guides/use.mdx: 1',
    'index.mdx: 2',
    'not updated:',
    'fr/guides/install.mdx:5 (excluded)',
    'src/links.ts:1 (protected)',
    'The page in other languages stays where it is: fr/guides/install.mdx',
    'Its address /guides/install is now /start/set-up: added a redirect in docs.json, behind line 24: { "source": "/guides/install", "destination": "/start/set-up" }',
  ]);
  expect(JSON.parse(await box.read('docs.json')).redirects).toEqual([
    { source: '/old', destination: '/start/set-up' },
    { source: '/guides/install', destination: '/start/set-up' },
  ]);
  expect(await box.read('guides/use.mdx')).toContain('[Install](../start/set-up) first');
  expect(await box.read('start/set-up.mdx')).toContain('[Use](../guides/use)');
  expect(await box.read('index.mdx')).toContain('(/start/set-up#linux)');
  expect(await box.read('docs.json')).toContain('"start/set-up",');
  expect((await box.call('check', {})).output).toContain('your changes broke nothing');
});

test('move_file says which redirect to add where it may not add it', async () => {
  await using box = await createToolbox(files);
  const args = { from: 'guides/install.mdx', to: 'start/set-up.mdx', update_links: true, exclude: 'docs.json' };
  expect((await box.call('move_file', args)).output).toContain(
    'add a redirect in docs.json, behind line 24: { "source"',
  );
  expect(JSON.parse(await box.read('docs.json')).redirects).toHaveLength(1);
});

test('promise 35: files of secrets are named by no tool of sites', async () => {
  await using box = await createToolbox(files);
  expect((await box.call('find_references', { target: '/guides/install' })).output).not.toContain('token.json');
  const args = { from: 'guides/install.mdx', to: 'guides/set-up.mdx', update_links: true };
  expect((await box.call('move_file', args)).output).not.toContain('token.json');
});
