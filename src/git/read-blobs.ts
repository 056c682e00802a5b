import type { GitResult, InRepository } from './git.ts';
import { runGit } from './run-git.ts';

const maxOutputBytes = 512 * 1024 ** 2;
/** Up to this size, blobs are read without asking for their sizes first. */
const fewBytes = 8 * 1024 ** 2;

const nameAndSize = '%(objectname) %(objectsize)';
const readAll = ['cat-file', `--batch=${nameAndSize}`];

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
async function readFew({ shas, ...at }: Wanted): Promise<Map<string, Buffer> | undefined> {
  const limits = { maxOutputBytes: fewBytes, onLongOutput: 'truncate' } as const;
  const { stdout, truncated } = await runGit(at, readAll, { ...limits, stdin: list(shas) });
  return truncated ? undefined : parseObjects(stdout);
}

async function readShort({ shas, maxBytes, ...at }: Wanted): Promise<Map<string, Buffer>> {
  const args = ['cat-file', `--batch-check=${nameAndSize}`];
  const { stdout } = await runGit(at, args, { maxOutputBytes, stdin: list(shas) });
  const lines = stdout.toString().split('\n');
  const sizes = new Map(lines.map((line) => line.split(' ')).map(([sha = '', size]) => [sha, Number(size)]));
  const short = shas.filter((sha) => !((sizes.get(sha) ?? 0) > maxBytes));
  return parseObjects(await readObjects({ ...at, shas: list(short) }));
}

const list = (names: readonly string[]) => names.map((name) => `${name}\n`).join('');

/** The input of `parseObjects`. `shas`: one a line. One git command, and no work on the event loop, however many objects there are. */
export async function readObjects({ shas, ...at }: InRepository & { shas: string | Uint8Array }): Promise<Buffer> {
  if (shas.length === 0) return Buffer.alloc(0);
  return (await runGit(at, readAll, { maxOutputBytes, stdin: shas })).stdout;
}

/** The beginning of a blob: `name` is its SHA, or `<commit>:<path>`. */
export const readObject = (
  at: InRepository,
  name: string,
  maxBytes: number,
  options: { okCodes?: readonly number[] } = {},
): Promise<GitResult> =>
  runGit(at, ['cat-file', 'blob', name], { maxOutputBytes: maxBytes, onLongOutput: 'truncate', ...options });

/** The bytes of objects, by SHA: views of `output`. Throws when an object is missing. */
export function parseObjects(output: Uint8Array): Map<string, Buffer> {
  const bytes = Buffer.from(output.buffer, output.byteOffset, output.byteLength);
  const objects = new Map<string, Buffer>();
  for (let at = 0; at < bytes.length; ) {
    const lineEnd = bytes.indexOf(10, at);
    const [sha = '', size = ''] = bytes.toString('latin1', at, lineEnd).split(' ');
    if (lineEnd === -1 || !/^\d+$/.test(size)) throw new Error(`could not read object ${sha}: ${size}`);
    at = lineEnd + 1 + Number(size);
    objects.set(sha, bytes.subarray(lineEnd + 1, at));
    at += 1;
  }
  return objects;
}
