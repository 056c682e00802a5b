import { expect, test } from 'vitest';
import { createToolbox } from './toolbox.ts';

const page = (title: string, body: string) => `---\ntitle: ${title}\n---\n\n${body}\n`;
const sidebar = (...names: string[]) =>
  `${JSON.stringify({ title: 'Reference', routes: names.map((name) => ({ title: name, path: `/reference/${name}` })) }, null, 2)}\n`;
const names = ['act', 'cache', 'lazy', 'memo', 'use', 'view', 'wait', 'yield'];
const site = {
  'next.config.js': 'module.exports = {};\n',
  'src/pages/[[...path]].js': 'export default function Page() {}\n',
  'src/sidebarReference.json': sidebar(...names),
  'src/content/index.md': page('Home', names.map((name) => `[${name}](/reference/${name})`).join(', ')),
  ...Object.fromEntries(names.map((name) => [`src/content/reference/${name}.md`, page(name, 'text')])),
};

test('a list of pages that the code of a site on Next.js reads follows a move, and may be edited as data', async () => {
  await using box = await createToolbox(site);
  const moved = await box.call('move_file', {
    from: 'src/content/reference/lazy.md',
    to: 'src/content/reference/suspend.md',
  });
  expect(moved).toMatchObject({ isError: false });
  expect(await box.read('src/sidebarReference.json')).toContain('"path": "/reference/suspend"');
  const edit = (old_text: string, new_text: string) =>
    box.call('edit_file', { path: 'src/sidebarReference.json', edits: [{ old_text, new_text }] });
  const entry = '{\n      "title": "react",\n      "path": "/reference/cache"\n    },\n    {\n      "title": "memo"';
  expect(await edit('{\n      "title": "memo"', entry)).toMatchObject({ isError: false });
  expect(await edit('"title": "react"', '"title": "react", "onLoad": "x"')).toMatchObject({ isError: true });
  expect(await edit('/reference/memo', 'javascript:x')).toMatchObject({ isError: true });
});

test('an entry of such a list that leads to no page any more is told', async () => {
  await using box = await createToolbox(site);
  await box.call('delete_file', { path: 'src/content/reference/memo.md' });
  expect(await box.output('check', {})).toMatch(/src\/sidebarReference\.json:18/);
});

test('data of which the addresses are mostly no pages is no list of pages', async () => {
  await using box = await createToolbox({ ...site, 'src/sidebarReference.json': sidebar('a', 'b', 'c', 'cache') });
  await box.call('delete_file', { path: 'src/content/reference/cache.md' });
  expect(await box.output('check', {})).not.toContain('sidebarReference');
});

test('the table of contents of MyST follows a folder that moves, and may be edited as data', async () => {
  const toc = (folder: string) =>
    `version: 1\nproject:\n  toc:\n    - file: index.md\n    - title: Build\n      file: ${folder}/index.md\n      children:\n        - file: ${folder}/web.md\n`;
  await using box = await createToolbox({
    'docs/myst.yml': toc('build'),
    'docs/index.md': '# Home\n\n- [Build](./build/index.md)\n',
    'docs/build/index.md': '# Build\n',
    'docs/build/web.md': '# Web\n',
  });
  const moved = await box.call('move_file', { from: 'docs/build', to: 'docs/publish' });
  expect(moved).toMatchObject({ isError: false });
  expect(await box.read('docs/myst.yml')).toBe(toc('publish'));
  expect(await box.read('docs/index.md')).toContain('(./publish/index.md)');
  const edit = (old_text: string, new_text: string) =>
    box.call('edit_file', { path: 'docs/myst.yml', edits: [{ old_text, new_text }] });
  expect(await edit('    - title: Build', '    - file: new.md\n    - title: Build')).toMatchObject({ isError: false });
  expect(await edit('version: 1', 'version: 1\nsite:\n  options:\n    style: x.css')).toMatchObject({ isError: true });
});

test('a glob may name several long paths', async () => {
  const names = Array.from({ length: 4 }, (_, index) => `docs/${'long-name-'.repeat(5)}${index}.md`);
  await using box = await createToolbox(Object.fromEntries(names.map((name) => [name, 'text\n'])));
  expect(await box.lines('list_files', { glob: `{${names.join(',')}}` })).toEqual(names);
});
