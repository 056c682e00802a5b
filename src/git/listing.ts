import type { InRepository } from './git.ts';

export const maxListingBytes = 64 * 1024 * 1024;

export interface ListedFile {
  sha: string;
  bytes: number;
}

/** All files of a commit or tree, which is named by its SHA, as `parseListing` reads them: one git command, and nothing is parsed on the event loop. */
export async function readListing({ git, gitDir, signal, sha }: InRepository & { sha: string }): Promise<Buffer> {
  return (await git(listingArguments(sha), { gitDir, signal, maxOutputBytes: maxListingBytes, isLasting: true }))
    .stdout;
}

/** The same wherever files are listed, so that the output is read once. */
export const listingArguments = (sha: string): string[] => ['ls-tree', '-r', '-l', '-z', '--full-tree', sha];

/** By path. A symbolic link or a submodule is a path without a file. */
export function parseListing(listing: Uint8Array): Map<string, ListedFile | undefined> {
  const files = new Map<string, ListedFile | undefined>();
  for (const entry of splitAtNul(Buffer.from(listing.buffer, listing.byteOffset, listing.byteLength))) {
    const tab = entry.indexOf('\t');
    const [mode = '', , sha = '', size = ''] = entry.toString('latin1', 0, tab).split(/ +/);
    const isFile = mode.startsWith('100') && /^\d+$/.test(size);
    files.set(entry.toString('utf8', tab + 1), isFile ? { sha, bytes: Number(size) } : undefined);
  }
  return files;
}

export function* splitAtNul(output: Buffer): Generator<Buffer> {
  let start = 0;
  for (let end = output.indexOf(0); end !== -1; end = output.indexOf(0, start)) {
    yield output.subarray(start, end);
    start = end + 1;
  }
}
