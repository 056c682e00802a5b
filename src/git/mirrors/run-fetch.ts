import { withSizeLimit } from '../../disk/directory-size.ts';
import { fetchTimeoutMs } from '../../timing.ts';
import { GitError, GitRefusal } from '../errors.ts';
import type { InRepository } from '../git.ts';
import type { Remote } from '../remote.ts';

const promisor = 'promisor';

/** Makes a repository blobless. Only `runFetch` names the URL, so that git fetches nothing by itself. https://git-scm.com/docs/partial-clone */
export const bloblessConfig = `[remote "${promisor}"]\n\tpromisor = true\n\tpartialCloneFilter = blob:none\n`;

const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--no-recurse-submodules'];

/** Fetches refspecs, or objects by their SHA. Throws `GitRefusal` `repository_too_large` or `repository_invalid`. */
export async function runFetch(
  request: InRepository & {
    remote: Remote;
    isBlobless: boolean;
    maxRepositoryBytes: number;
  } & ({ refspecs: readonly string[] } | { shas: string }),
): Promise<void> {
  const { git, gitDir, remote, isBlobless, maxRepositoryBytes, signal, ...wanted } = request;
  const isByName = 'refspecs' in wanted;
  const config = [
    ...(isBlobless ? [`remote.${promisor}.url=${remote.url}`] : []),
    // What the remote knows that the mirror has, such as these objects’ commits, it would not send.
    ...(isByName ? [] : ['fetch.negotiationAlgorithm=noop']),
  ].flatMap((setting) => ['-c', setting]);
  const from = ['--', isBlobless ? promisor : remote.url];
  const args = isByName ? [...from, ...wanted.refspecs] : ['--stdin', ...from];
  await withSizeLimit({
    directory: gitDir,
    maxBytes: maxRepositoryBytes,
    tooLarge: () => new GitRefusal({ reason: 'repository_too_large', maxBytes: maxRepositoryBytes }),
    signal,
    work: (limited) =>
      git([...config, 'fetch', ...options, ...args], {
        signal: limited,
        gitDir,
        credential: remote,
        timeoutMs: fetchTimeoutMs,
        ...(!isByName && { stdin: wanted.shas }),
      }),
  }).catch((error: unknown) => {
    throw isRefusedByFsck(error) ? new GitRefusal({ reason: 'repository_invalid' }, { cause: error }) : error;
  });
}

/** git has no exit code for this. The text is stable under LC_ALL=C, and the remote's own lines begin with `remote: `.
 * https://github.com/git/git/blob/master/builtin/index-pack.c, builtin/unpack-objects.c */
function isRefusedByFsck(error: unknown): boolean {
  return error instanceof GitError && /^fatal: fsck error/m.test(error.stderr);
}
