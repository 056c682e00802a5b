import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { InRepository } from './git.ts';
import { type ListedFile, listingArguments, maxListingBytes, parseEntry, splitAtNul, toListedFile } from './listing.ts';
import { readBlobs } from './read-blobs.ts';

const maxBytes = 1024 * 1024;
const entriesAtOnce = 1_000;

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
  const { sha, likely, ...repository } = options;
  const { gitDir, signal } = repository;
  const limits = { maxOutputBytes: maxListingBytes, onLongOutput: 'truncate', isLasting: true } as const;
  const { stdout } = await repository.git(listingArguments(sha), { gitDir, signal, ...limits });
  const entries = await parseListing(stdout, repository);
  const paths = [...entries.keys()];
  const wanted = new Set(likely(paths));
  let together: Promise<Map<string, Buffer | null>> | undefined;

  async function read(path: string): Promise<string | undefined> {
    const entry = entries.get(path);
    if (entry === undefined) return undefined;
    if (!wanted.has(path) || entry.bytes > maxBytes) return readAlone(repository, entry);
    together ??= readBlobs({
      ...repository,
      shas: [...wanted].flatMap((each) => entries.get(each)?.sha ?? []),
      maxBytes,
    });
    return (await together).get(entry.sha)?.toString('utf8');
  }
  return { paths, read };
}

async function parseListing(listing: Buffer, { signal }: InRepository): Promise<Map<string, ListedFile>> {
  const found = new Map<string, ListedFile>();
  let entries = 0;
  for (const line of splitAtNul(listing)) {
    const entry = parseEntry(line);
    const file = toListedFile(entry);
    if (file) found.set(entry.path, file);
    entries += 1;
    if (entries % entriesAtOnce !== 0) continue;
    await yieldToEventLoop();
    signal.throwIfAborted();
  }
  return found;
}

async function readAlone({ git, gitDir, signal }: InRepository, { sha }: ListedFile): Promise<string> {
  const limits = { maxOutputBytes: maxBytes, onLongOutput: 'truncate' } as const;
  return (await git(['cat-file', 'blob', sha], { gitDir, signal, ...limits })).stdout.toString('utf8');
}
