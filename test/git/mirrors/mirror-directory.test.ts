import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMirrorDirectory, type MirrorDirectory } from '../../../src/git/mirrors/mirror-directory.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';

const repositoryId = 7;
const never = new AbortController().signal;

test.each<[string, boolean, (mirrors: MirrorDirectory) => unknown]>([
  ['while nobody uses it', false, () => {}],
  [
    'when somebody looks at it',
    false,
    async (mirrors) => (await mirrors.tryUseExisting(repositoryId))?.[Symbol.dispose](),
  ],
  ['when a run begins', true, async (mirrors) => (await mirrors.use(repositoryId, never))[Symbol.dispose]()],
  ['when it was packed', true, (mirrors) => mirrors.forgetSize(repositoryId)],
])('the size of a mirror %s is measured again: %s', async (_, isMeasured, happen) => {
  await using cleanup = new AsyncDisposableStack();
  const { mirrors, grow, open } = await createMeasured(cleanup);
  const before = await mirrors.measure(repositoryId);
  grow();
  expect(await mirrors.measure(repositoryId), 'before anything happens').toBe(before);
  await happen(mirrors);
  expect((await open().measure(repositoryId)) > before, 'also in another process').toBe(isMeasured);
});

test('what a run added counts as soon as the run has ended', async () => {
  await using cleanup = new AsyncDisposableStack();
  const { mirrors, grow } = await createMeasured(cleanup);
  const run = await mirrors.use(repositoryId, never);
  // It began long ago.
  utimesSync(mirrors.lockOf(repositoryId), 1, 1);
  const before = await mirrors.measure(repositoryId);
  grow();
  run[Symbol.dispose]();
  expect(await mirrors.measure(repositoryId)).toBeGreaterThan(before);
});

test('on a full disk, sizes are measured all the same, because eviction needs them', async ({ skip }) => {
  await using cleanup = new AsyncDisposableStack();
  const disk = mountSmallDisk({ megabytes: 1 });
  if (!disk) return skip('this user may mount no disk');
  cleanup.use(disk);
  const { mirrors, grow } = await createMeasured(cleanup, disk.path);
  grow();
  disk.fill();
  expect(await mirrors.measure(repositoryId)).toBeGreaterThan(1_000);
  expect(await mirrors.remove(repositoryId)).toBe(true);
});

/** A mirror of one file, used long ago. */
async function createMeasured(cleanup: AsyncDisposableStack, root = tmpdir()) {
  const directory = mkdtempSync(join(root, 'pagewright-mirrors-'));
  cleanup.defer(() => rmSync(directory, { recursive: true }));
  const open = () => createMirrorDirectory({ git: () => Promise.reject(new Error('no git')), directory });
  const mirrors = open();
  const gitDir = mirrors.pathOf(repositoryId);
  mkdirSync(gitDir);
  writeFileSync(join(gitDir, 'pagewright-bytes'), '1');
  writeFileSync(mirrors.lockOf(repositoryId), '');
  utimesSync(mirrors.lockOf(repositoryId), 1, 1);
  return { mirrors, open, grow: () => writeFileSync(join(gitDir, 'pack'), 'x'.repeat(1_000)) };
}
