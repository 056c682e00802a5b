import type { InRepository } from './git.ts';
import { parseObjects, readObjects } from './objects.ts';

const maxOutputBytes = 512 * 1024 ** 2;

/** The bytes of blobs, by SHA; null: more than `maxBytes`. Two git commands, whatever the number. Throws when an object is missing. */
export async function readBlobs({
  git,
  gitDir,
  signal,
  shas,
  maxBytes,
}: InRepository & { shas: Iterable<string>; maxBytes: number }): Promise<Map<string, Buffer | null>> {
  const wanted = [...new Set(shas)];
  if (wanted.length === 0) return new Map();
  const options = { signal, gitDir, maxOutputBytes };
  const list = (names: readonly string[]) => names.map((name) => `${name}\n`).join('');
  const checked = await git(['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
    ...options,
    stdin: list(wanted),
  });
  const sizes = new Map(
    checked.stdout
      .toString()
      .split('\n')
      .map((line) => line.split(' '))
      .map(([sha = '', size]) => [sha, Number(size)]),
  );
  const blobs = new Map<string, Buffer | null>(wanted.map((sha) => [sha, null]));
  const small = wanted.filter((sha) => !((sizes.get(sha) ?? 0) > maxBytes));
  for (const [sha, bytes] of parseObjects(await readObjects({ git, gitDir, signal, shas: list(small) })))
    blobs.set(sha, bytes);
  return blobs;
}
