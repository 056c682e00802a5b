import { expect, test } from 'vitest';
import { createGit } from '../../src/git/git.ts';
import { readListing } from '../../src/git/listing.ts';
import { runProcess } from '../../src/git/processes/run-process.ts';
import { createWorld } from '../workspace/world.ts';

async function openCountingGit() {
  const world = await createWorld();
  const commands: string[] = [];
  const git = createGit({
    allowHttp: true,
    runProcess(request, signal) {
      commands.push(request.args[0] ?? '');
      return runProcess(request, signal);
    },
  });
  return { world, git, commands };
}

test('what git says of a commit is asked once, and each asker may do with it as it likes', async () => {
  const { world, git, commands } = await openCountingGit();
  await using _world = world;
  const sha = world.addCommit({ 'a.md': 'a\n' });
  await using mirror = await world.fetch();
  const commit = { git, gitDir: mirror.directory, sha, signal: world.signal };
  const first = await readListing(commit);
  const expected = first.toString();
  first.fill(0);
  const second = await readListing(commit);
  expect(second.toString()).toBe(expected);
  second.fill(0);
  expect((await readListing(commit)).toString()).toBe(expected);
  expect(commands).toEqual(['ls-tree']);
});

test('a failure is not kept: what is missing may arrive', async () => {
  const { world, git, commands } = await openCountingGit();
  await using _world = world;
  world.addCommit({ 'a.md': 'a\n' });
  await using mirror = await world.fetch();
  const commit = { git, gitDir: mirror.directory, sha: '1'.repeat(40), signal: world.signal };
  for (const _ of [1, 2]) await expect(readListing(commit)).rejects.toMatchObject({ failure: 'exit' });
  expect(commands).toEqual(['ls-tree', 'ls-tree']);
});
