import type { InRepository } from './git.ts';
import { type ListedFile, listingArguments, maxListingBytes, readTreeEntries, toListedFile } from './listing.ts';
import { readBlobs, readObject } from './read-blobs.ts';
import { runGit } from './run-git.ts';

const maxBytes = 1024 * 1024;

/** Undefined unless a regular file has that path. Reads at most 1 MiB. */
export type ReadFile = (path: string) => Promise<string | undefined>;

/**
 * All regular files of a commit. In a listing above 64 MiB, the later paths are missing. Reading one file of `likely` reads all of them, in one
 * git command.
 */
export async function listFilesAt(
  options: InRepository & { sha: string; likely: (paths: readonly string[]) => readonly string[] },
): Promise<{
  paths: string[];
  read: ReadFile;
}> {
  const { sha, likely, ...at } = options;
  const limits = { maxOutputBytes: maxListingBytes, onLongOutput: 'truncate', isLasting: true } as const;
  const { stdout } = await runGit(at, listingArguments(sha), limits);
  const entries = new Map<string, ListedFile>();
  for await (const entry of readTreeEntries(stdout, at.signal)) {
    const file = toListedFile(entry);
    if (file) entries.set(entry.path, file);
  }
  const paths = [...entries.keys()];
  const wanted = new Set(likely(paths));
  const shas = [...wanted].flatMap((each) => entries.get(each)?.sha ?? []);
  let together: Promise<Map<string, Buffer | null>> | undefined;

  async function read(path: string): Promise<string | undefined> {
    const entry = entries.get(path);
    if (entry === undefined) return undefined;
    if (!wanted.has(path) || entry.bytes > maxBytes)
      return (await readObject(at, entry.sha, maxBytes)).stdout.toString('utf8');
    together ??= readBlobs({ ...at, shas, maxBytes });
    return (await together).get(entry.sha)?.toString('utf8');
  }
  return { paths, read };
}
