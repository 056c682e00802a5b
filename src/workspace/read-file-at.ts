import type { Git } from './git.ts';
import type { Mirror } from './mirrors.ts';

const maxBytes = 1024 * 1024;

/** The text of a regular file in a commit; undefined when there is none at that path. At most 1 MiB of it. */
export async function readFileAt({
  git,
  mirror,
  sha,
  path,
  signal,
}: {
  git: Git;
  mirror: Pick<Mirror, 'directory'>;
  sha: string;
  path: string;
  signal: AbortSignal;
}): Promise<string | undefined> {
  const options = { gitDir: mirror.directory, signal };
  const { stdout } = await git(['ls-tree', '-z', sha, '--', path], options);
  const entry = /^100(?:644|755) blob ([0-9a-f]{40,64})\t/.exec(stdout.toString());
  if (!entry?.[1]) return undefined;
  const blob = await git(['cat-file', 'blob', entry[1]], {
    ...options,
    maxOutputBytes: maxBytes,
    onLongOutput: 'truncate',
  });
  return blob.stdout.toString('utf8');
}
