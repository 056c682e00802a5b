import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { InRepository } from './git.ts';
import { maxListingBytes, splitAtNul } from './listing.ts';

const maxBytes = 1024 * 1024;
const entriesAtOnce = 1_000;

/** Undefined unless a regular file has that path. Reads at most 1 MiB. */
export type ReadFile = (path: string) => Promise<string | undefined>;

/** One git command for the lookup; each file is read on demand. */
export async function findFilesAt({
  sha,
  paths,
  ...repository
}: InRepository & { sha: string; paths: readonly string[] }): Promise<ReadFile> {
  const { gitDir, signal } = repository;
  const { stdout } = await repository.git(['ls-tree', '-z', sha, '--', ...paths], { gitDir, signal });
  return readFrom(repository, await parseListing(stdout, repository));
}

/** All regular files of a commit. Of a listing above 64 MiB, the paths behind that are missing. */
export async function listFilesAt({
  sha,
  ...repository
}: InRepository & { sha: string }): Promise<{ paths: string[]; read: ReadFile }> {
  const { gitDir, signal } = repository;
  const limits = { maxOutputBytes: maxListingBytes, onLongOutput: 'truncate' } as const;
  const { stdout } = await repository.git(['ls-tree', '-r', '-z', '--full-tree', sha], { gitDir, signal, ...limits });
  const blobShas = await parseListing(stdout, repository);
  return { paths: [...blobShas.keys()], read: readFrom(repository, blobShas) };
}

async function parseListing(listing: Buffer, { signal }: InRepository): Promise<Map<string, string>> {
  const blobShas = new Map<string, string>();
  let entries = 0;
  for (const entry of splitAtNul(listing)) {
    const [, blobSha, path] = /^100(?:644|755) blob ([0-9a-f]{40,64})\t(.*)$/s.exec(entry.toString()) ?? [];
    if (blobSha && path) blobShas.set(path, blobSha);
    entries += 1;
    if (entries % entriesAtOnce !== 0) continue;
    await yieldToEventLoop();
    signal.throwIfAborted();
  }
  return blobShas;
}

const readFrom =
  ({ git, gitDir, signal }: InRepository, blobShas: ReadonlyMap<string, string>): ReadFile =>
  async (path) => {
    const blobSha = blobShas.get(path);
    if (blobSha === undefined) return undefined;
    const limits = { maxOutputBytes: maxBytes, onLongOutput: 'truncate' } as const;
    return (await git(['cat-file', 'blob', blobSha], { gitDir, signal, ...limits })).stdout.toString('utf8');
  };
