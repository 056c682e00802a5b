import { expect, test } from 'vitest';
import { requireAllowedChanges } from '../../../src/policy/require-allowed-changes.ts';
import { createWorld } from '../../workspace/world.ts';
import { tryChange } from '../try-change.ts';
import { replace, sites } from './sites.ts';

const path = 'docs/.vitepress/config.mts';
const entry = "{ text: 'Install', link: 'install' }";
const first = replace(path, entry, `${entry},\n        { text: 'Update', link: 'update' }`);
const second = first.replace("link: 'update'", "link: 'upgrade'");
const evil = second.replace("link: 'upgrade'", 'link: process.env.TOKEN');

test('promise 32: the tree that is pushed is checked, alone and over all of a pull request', async () => {
  await using world = await createWorld();
  const base = world.addCommit(sites);
  const once = world.addCommit({ ...sites, [path]: first }, { branch: 'ours', parent: base });
  const twice = world.addCommit({ ...sites, [path]: second }, { branch: 'ours', parent: once });
  const broken = world.addCommit({ ...sites, [path]: evil }, { branch: 'ours', parent: twice });
  await using mirror = await world.fetch({ base: 'ours' });
  const require = (from: string, to: string) =>
    requireAllowedChanges({ git: world.git, gitDir: mirror.directory, from, to, signal: world.signal });
  await expect(require(base, once)).resolves.toBeUndefined();
  await expect(require(once, twice)).resolves.toBeUndefined();
  await expect(require(base, twice)).resolves.toBeUndefined();
  for (const from of [base, once, twice])
    await expect(require(from, broken)).rejects.toMatchObject({ reason: 'protected_paths' });
});

test('promise 32: a conflict is resolved to one of its versions, with entries more', async () => {
  const conflict = replace(
    path,
    `        ${entry}\n`,
    `<<<<<<< ours\n        ${entry}\n=======\n        { text: 'Setup', link: 'setup' }\n>>>>>>> theirs\n`,
  );
  const resolved = replace(path, entry, `${entry},\n        { text: 'Setup', link: 'setup' }`);
  expect(await tryChange({ ...sites, [path]: conflict }, path, resolved)).toBeUndefined();
  const hostile = resolved.replace("link: 'setup'", 'link: process.env.TOKEN');
  expect(await tryChange({ ...sites, [path]: conflict }, path, hostile)).toContain('may not be new');
});
