import { expect, test } from 'vitest';
import type { WriteRules } from '../../src/policy/write-rules.ts';
import { ThreadsBusy, ThreadTimeout } from '../../src/threads/threads.ts';
import { tryChange } from './try-change.ts';

const files = {
  'mkdocs.yml': 'site_name: Docs\nnav:\n  - index.md\n',
  'docs/index.md': 'a <b>b</b>\n',
  'docs/.vitepress/config.ts': "export default { themeConfig: { sidebar: [{ text: 'A', link: '/a' }] } };\n",
};

const failWith = (error: Error): WriteRules => {
  const fail = () => Promise.reject(error);
  return { readers: { readPage: fail, compareCode: fail, compareData: fail, compareOpened: fail, findSecrets: fail } };
};

test.each([
  ['data', 'mkdocs.yml', 'site_name: Docs\nnav:\n  - index.md\n  - a.md\n'],
  ['code', 'docs/.vitepress/config.ts', "export default { themeConfig: { sidebar: [{ text: 'B', link: '/a' }] } };\n"],
  ['a page', 'docs/index.md', 'c <b>b</b>\n'],
])('a change of %s is not refused because all threads are taken: the run waits for one', async (_, path, after) => {
  expect(await tryChange(files, path, after)).toBeUndefined();
  await expect(tryChange(files, path, after, failWith(new ThreadsBusy('many wait')))).rejects.toThrow(ThreadsBusy);
});

test.each([
  ['data', 'mkdocs.yml'],
  ['code', 'docs/.vitepress/config.ts'],
])('promise 5: a change of %s that takes too long to compare is refused', async (_, path) => {
  const refusal = await tryChange(files, path, 'a: b\n', failWith(new ThreadTimeout('too long')));
  expect(refusal).toMatch(/in time/);
});
