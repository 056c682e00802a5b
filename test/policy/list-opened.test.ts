import { expect, test } from 'vitest';
import { readBaseFiles } from '../../src/policy/base-files.ts';
import { listOpened } from '../../src/policy/list-opened.ts';
import { createWorld } from '../workspace/world.ts';

test('promise 19: the files that only `also` opens are told from pages', async () => {
  await using world = await createWorld();
  const site = { 'docs.json': '{}', 'a.mdx': 'Text', 'static/site.css': 'a {}' };
  const base = world.addCommit(site);
  const sha = world.addCommit({ ...site, 'a.mdx': 'New', 'static/site.css': 'b {}' }, { branch: 'job', parent: base });
  const { directory: gitDir } = await world.fetch({ branch: 'job' });
  const change = { git: world.git, gitDir, signal: world.signal, base, sha };
  expect(await listOpened({ ...change, also: ['static/**'] })).toEqual(['static/site.css']);
  expect(await listOpened({ ...change, also: ['images/**'] })).toEqual([]);
  expect(await listOpened(change)).toEqual([]);
});

test('promise 19: data that pages include is told, unless another file names it', async () => {
  await using world = await createWorld();
  const site = { 'docs.json': '{}', 'a.mdx': 'import x from "./snippets/x.json?raw"\n', 'snippets/x.json': '{}' };
  const base = world.addCommit({ ...site, 'lib/b.js': 'read("x.json")' });
  const sha = world.addCommit({ ...site, 'snippets/x.json': '[]' }, { branch: 'job', parent: base });
  const { directory: gitDir } = await world.fetch({ branch: 'job' });
  const change = { git: world.git, gitDir, signal: world.signal };
  expect(await listOpened({ ...change, base, sha })).toEqual(['snippets/x.json']);
  const files = await readBaseFiles({ ...change, sha: base });
  expect(await files.findOthers('x.json')).toEqual(['lib/b.js']);
  expect(await files.findOthers('./snippets')).toEqual([]);
});
