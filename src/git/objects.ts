import type { InRepository } from './git.ts';

const maxOutputBytes = 512 * 1024 ** 2;

/** The input of `parseObjects`. `shas`: one a line. One git command, and no work on the event loop, however many objects there are. */
export async function readObjects(options: InRepository & { shas: string | Uint8Array }): Promise<Buffer> {
  const { git, gitDir, signal, shas } = options;
  if (shas.length === 0) return Buffer.alloc(0);
  const args = ['cat-file', '--batch=%(objectname) %(objectsize)'];
  return (await git(args, { gitDir, signal, maxOutputBytes, stdin: shas })).stdout;
}

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
