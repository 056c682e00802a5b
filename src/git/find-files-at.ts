import type { InRepository } from './git.ts';
import { splitAtNul } from './tree.ts';

const maxBytes = 1024 * 1024;

/** Undefined unless a regular file has that path. Reads at most 1 MiB. */
export type ReadFile = (path: string) => Promise<string | undefined>;

/** One git command for the lookup; each file is read on demand. */
export async function findFilesAt({
  git,
  gitDir,
  sha,
  paths,
  signal,
}: InRepository & { sha: string; paths: readonly string[] }): Promise<ReadFile> {
  const options = { gitDir, signal };
  const { stdout } = await git(['ls-tree', '-z', sha, '--', ...paths], options);
  const entries = Array.from(splitAtNul(stdout), String).flatMap((line) => {
    const [, blobSha, path] = /^100(?:644|755) blob ([0-9a-f]{40,64})\t(.*)$/s.exec(line) ?? [];
    return blobSha && path ? [[path, blobSha] as const] : [];
  });
  const blobShas = new Map(entries);
  return async (path) => {
    const blobSha = blobShas.get(path);
    if (blobSha === undefined) return undefined;
    const limits = { maxOutputBytes: maxBytes, onLongOutput: 'truncate' } as const;
    return (await git(['cat-file', 'blob', blobSha], { ...options, ...limits })).stdout.toString('utf8');
  };
}
