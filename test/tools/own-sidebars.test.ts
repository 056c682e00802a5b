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
  expect((await box.call('check', {})).output).toMatch(/src\/sidebarReference\.json:18/);
});

test('data of which the addresses are mostly no pages is no list of pages', async () => {
  await using box = await createToolbox({ ...site, 'src/sidebarReference.json': sidebar('a', 'b', 'c', 'cache') });
  await box.call('delete_file', { path: 'src/content/reference/cache.md' });
  expect((await box.call('check', {})).output).not.toContain('sidebarReference');
});
