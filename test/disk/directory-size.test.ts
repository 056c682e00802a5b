import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withSizeLimit } from '../../src/disk/directory-size.ts';

test('a folder that cannot be measured ends the work in it, and nothing else', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'pagewright-size-'));
  const path = join(directory.path, 'file');
  await writeFile(path, '');
  const work = (signal: AbortSignal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const given = {
    directory: path,
    maxBytes: 10,
    tooLarge: () => new Error('too large'),
    signal: new AbortController().signal,
  };
  await expect(withSizeLimit({ ...given, work })).rejects.toMatchObject({ code: 'ENOTDIR' });
});
