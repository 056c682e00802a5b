import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withSizeLimit } from '../../disk/directory-size.ts';
import { realTiming } from '../../timing.ts';
import { GitError, GitRefusal } from '../errors.ts';
import type { InRepository } from '../git.ts';
import type { Remote } from '../remote.ts';

/** Fetches branches into `<refs>/0`, `<refs>/1`, …. Throws `GitRefusal` `repository_too_large` or `repository_invalid`. */
export async function fetchRefs({
  git,
  gitDir,
  remote,
  branches,
  refs,
  maxRepositoryBytes,
  signal,
}: InRepository & {
  remote: Remote;
  branches: readonly string[];
  refs: string;
  maxRepositoryBytes: number;
}): Promise<void> {
  const refspecs = branches.map((branch, index) => `+refs/heads/${branch}:${refs}/${index}`);
  const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--no-recurse-submodules'];
  await withSizeLimit({
    directory: gitDir,
    maxBytes: maxRepositoryBytes,
    tooLarge: () => new GitRefusal({ reason: 'repository_too_large', maxBytes: maxRepositoryBytes }),
    signal,
    work: (limited) =>
      git(['fetch', ...options, '--', remote.url, ...refspecs], {
        signal: limited,
        gitDir,
        credential: remote,
        timeoutMs: realTiming.git.fetchTimeoutMs,
      }),
  }).catch((error: unknown) => {
    throw isRefusedByFsck(error) ? new GitRefusal({ reason: 'repository_invalid' }, { cause: error }) : error;
  });
}

/** The tips of what `fetchRefs` fetched, by branch, read from their files: mirrors keep each new ref in one. */
export async function readFetched({
  gitDir,
  branches,
  refs,
}: {
  gitDir: string;
  branches: readonly string[];
  refs: string;
}): Promise<Map<string, string>> {
  const read = async (branch: string, index: number) => {
    const text = await readFile(join(gitDir, refs, String(index)), 'utf8');
    const [sha] = /^[0-9a-f]{40,64}(?=\n$)/.exec(text) ?? [];
    if (sha === undefined) throw new Error(`could not read ${refs}/${index} of ${gitDir}`);
    return [branch, sha] as const;
  };
  return new Map(await Promise.all(branches.map(read)));
}

/** git has no exit code for this. The text is stable under LC_ALL=C, and the remote's own lines begin with `remote: `.
 * https://github.com/git/git/blob/master/builtin/index-pack.c, builtin/unpack-objects.c */
function isRefusedByFsck(error: unknown): boolean {
  return error instanceof GitError && /^fatal: fsck error/m.test(error.stderr);
}
