import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { InRepository } from './git.ts';
import { runGit } from './run-git.ts';

export const maxListingBytes = 64 * 1024 * 1024;

export interface ListedFile {
  sha: string;
  bytes: number;
}

/** All files of a commit or tree, which is named by its SHA, as `parseListing` reads them: one git command, and nothing is parsed on the event loop. */
export async function readListing({ sha, ...at }: InRepository & { sha: string }): Promise<Buffer> {
  return (await runGit(at, listingArguments(sha), { maxOutputBytes: maxListingBytes, isLasting: true })).stdout;
}

/** The same wherever files are listed, so that the output is read once. */
export const listingArguments = (sha: string): string[] => ['ls-tree', '-r', '-l', '-z', '--full-tree', sha];

/** By path. A symbolic link or a submodule is a path without a file. */
export function parseListing(listing: Uint8Array): Map<string, ListedFile | undefined> {
  const files = new Map<string, ListedFile | undefined>();
  for (const line of splitAtNul(Buffer.from(listing.buffer, listing.byteOffset, listing.byteLength))) {
    const entry = parseEntry(line);
    files.set(entry.path, toListedFile(entry));
  }
  return files;
}

/** `size`: `-` of a submodule, `BAD` where the object is missing, and empty where it was not asked for. */
interface ListedEntry {
  mode: string;
  sha: string;
  size: string;
  path: string;
}

/** Reads a line of `git ls-tree -z`. */
export function parseEntry(line: Buffer): ListedEntry {
  const tab = line.indexOf('\t');
  const [mode = '', , sha = '', size = ''] = line.toString('latin1', 0, tab).split(/ +/);
  return { mode, sha, size, path: line.toString('utf8', tab + 1) };
}

/** Undefined: it is no regular file, or the file's object is missing. */
export const toListedFile = ({ mode, sha, size }: ListedEntry): ListedFile | undefined =>
  mode.startsWith('100') && /^\d+$/.test(size) ? { sha, bytes: Number(size) } : undefined;

const entriesAtOnce = 200;

/** The lines of `git ls-tree -z`. Between parts of a long listing, the event loop goes on. */
export async function* readTreeEntries(listing: Buffer, signal: AbortSignal): AsyncGenerator<ListedEntry> {
  let count = 0;
  for (const line of splitAtNul(listing)) {
    count += 1;
    if (count % entriesAtOnce === 0) {
      await yieldToEventLoop();
      signal.throwIfAborted();
    }
    yield parseEntry(line);
  }
}

export function* splitAtNul(output: Buffer): Generator<Buffer> {
  let start = 0;
  for (let end = output.indexOf(0); end !== -1; end = output.indexOf(0, start)) {
    yield output.subarray(start, end);
    start = end + 1;
  }
}
