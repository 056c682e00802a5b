import type { InRepository } from './git.ts';
import { parseObjects, readObjects } from './objects.ts';

const maxOutputBytes = 512 * 1024 ** 2;
/** Up to this size, blobs are read without asking for their sizes first. */
const fewBytes = 8 * 1024 ** 2;

interface Wanted extends InRepository {
  shas: readonly string[];
  maxBytes: number;
}

/** The bytes of blobs, by SHA; null: more than `maxBytes`. One git command, or three where they are long. Throws when an object is missing. */
export async function readBlobs(
  options: InRepository & { shas: Iterable<string>; maxBytes: number },
): Promise<Map<string, Buffer | null>> {
  const { shas, maxBytes, ...repository } = options;
  const wanted = { ...repository, shas: [...new Set(shas)], maxBytes };
  if (wanted.shas.length === 0) return new Map();
  const read = (await readFew(wanted)) ?? (await readShort(wanted));
  const find = (sha: string) => {
    const bytes = read.get(sha);
    return bytes === undefined || bytes.length > maxBytes ? null : bytes;
  };
  return new Map(wanted.shas.map((sha) => [sha, find(sha)]));
}

/** Undefined: they are long. */
async function readFew({ git, gitDir, signal, shas }: Wanted): Promise<Map<string, Buffer> | undefined> {
  const { stdout, truncated } = await git(['cat-file', '--batch=%(objectname) %(objectsize)'], {
    gitDir,
    signal,
    maxOutputBytes: fewBytes,
    onLongOutput: 'truncate',
    stdin: list(shas),
  });
  return truncated ? undefined : parseObjects(stdout);
}

async function readShort({ git, gitDir, signal, shas, maxBytes }: Wanted): Promise<Map<string, Buffer>> {
  const checked = await git(['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
    gitDir,
    signal,
    maxOutputBytes,
    stdin: list(shas),
  });
  const sizes = new Map(
    checked.stdout
      .toString()
      .split('\n')
      .map((line) => line.split(' '))
      .map(([sha = '', size]) => [sha, Number(size)]),
  );
  const short = shas.filter((sha) => !((sizes.get(sha) ?? 0) > maxBytes));
  return parseObjects(await readObjects({ git, gitDir, signal, shas: list(short) }));
}

const list = (names: readonly string[]) => names.map((name) => `${name}\n`).join('');
