import type { InRepository } from './git.ts';
import { maxListingBytes, splitAtNul } from './tree.ts';

export interface ListedFile {
  sha: string;
  bytes: number;
}

/** What `parseListing` reads: one git command, and no work on the event loop, however many files there are. */
export async function readListing({ git, gitDir, signal, sha }: InRepository & { sha: string }): Promise<Buffer> {
  const args = ['ls-tree', '-r', '-l', '-z', '--full-tree', sha];
  return (await git(args, { gitDir, signal, maxOutputBytes: maxListingBytes })).stdout;
}

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
