import { expect, test } from 'vitest';
import { createFixture, docs } from './github-fixture.ts';

test('contents are read as a file, raw and as a directory; a missing path is not found', async () => {
  await using fixture = await createFixture();
  const { asInstallation } = fixture;
  const read = (path: string, options = {}) => asInstallation.rest.repos.getContent({ ...docs, path, ...options });
  const { data: file } = await read('guide/start.md');
  expect(file).toMatchObject({ type: 'file', path: 'guide/start.md', encoding: 'base64', size: 12 });
  expect('content' in file && Buffer.from(file.content, 'base64').toString()).toBe('Start here.\n');
  expect((await read('guide/start.md', { mediaType: { format: 'raw' } })).data).toBe('Start here.\n');
  expect((await read('')).data).toMatchObject([
    { type: 'file', path: 'README.md' },
    { type: 'dir', path: 'guide' },
  ]);
  expect((await read('guide')).data).toMatchObject([{ name: 'start.md', path: 'guide/start.md' }]);
  await expect(read('missing.md')).rejects.toMatchObject({ status: 404 });
  await expect(read('README.md', { ref: 'missing' })).rejects.toThrow(/No commit found for the ref missing/);
});

test('a branch with a slash has a ref and a commit', async () => {
  await using fixture = await createFixture();
  const sha = await fixture.github
    .asPerson('mona')
    .pushCommit('acme/docs', 'pagewright/a-b', { a: 'a' }, 'Write\n\nMore.');
  const { asInstallation } = fixture;
  expect((await asInstallation.rest.git.getRef({ ...docs, ref: 'heads/pagewright/a-b' })).data.object.sha).toBe(sha);
  expect((await asInstallation.rest.repos.getBranch({ ...docs, branch: 'pagewright/a-b' })).data).toMatchObject({
    name: 'pagewright/a-b',
    commit: { sha, commit: { message: 'Write\n\nMore.' } },
  });
});
