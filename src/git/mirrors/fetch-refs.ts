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

export async function readFetched({
  git,
  gitDir,
  branches,
  refs,
  signal,
}: InRepository & { branches: readonly string[]; refs: string }): Promise<Map<string, string>> {
  const { stdout } = await git(['for-each-ref', '--format=%(refname:lstrip=-1) %(objectname)', refs], {
    signal,
    gitDir,
  });
  const tips = stdout.toString().matchAll(/^(\d+) ([0-9a-f]+)$/gm);
  return new Map(Array.from(tips, ([, index, sha = '']) => [branches[Number(index)] ?? '', sha]));
}

/** git has no exit code for this. The text is stable under LC_ALL=C, and the remote's own lines begin with `remote: `.
 * https://github.com/git/git/blob/master/builtin/index-pack.c, builtin/unpack-objects.c */
function isRefusedByFsck(error: unknown): boolean {
  return error instanceof GitError && /^fatal: fsck error/m.test(error.stderr);
}
