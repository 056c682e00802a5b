import { createGit } from '../../src/git/git.ts';
import { readBlobs } from '../../src/git/read-blobs.ts';
import { readTree } from '../../src/git/tree.ts';
import type { Files } from '../checks/outcome.ts';

const maxBytes = 16 * 1024 * 1024;

/** All files of a commit, as text. */
export async function readFiles({
  gitDir,
  sha,
  signal,
}: {
  gitDir: string;
  sha: string;
  signal: AbortSignal;
}): Promise<Files> {
  const git = createGit({ allowHttp: false });
  const { files } = await readTree({ git, gitDir, sha, maxFiles: 10_000, maxBytes, signal });
  const shas = [...files.values()].map((file) => file.sha);
  const blobs = await readBlobs({ git, gitDir, signal, shas, maxBytes });
  return new Map([...files].map(([path, file]) => [path, blobs.get(file.sha)?.toString('utf8') ?? '']));
}
