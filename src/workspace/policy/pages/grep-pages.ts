import { prosePathspecs } from '../../../checks/page-extensions.ts';
import type { InRepository } from '../../../git/git.ts';
import { realTiming } from '../../../timing.ts';

const maxOutputBytes = 8 * 1024 ** 2;

/**
 * Searches the pages of a commit with `git grep`, named by its SHA, in a process with a time-out; of long output the rest is left out. `stdin` is for `-f -`:
 * other users of the machine see arguments.
 */
export async function grepPages(
  { git, gitDir, signal, sha }: InRepository & { sha: string },
  flags: readonly string[],
  stdin = '',
): Promise<string> {
  const { stdout } = await git(['grep', '-I', '--no-color', ...flags, sha, '--', ...prosePathspecs], {
    gitDir,
    signal,
    stdin,
    // Our own patterns, not paths of a repository.
    env: { GIT_LITERAL_PATHSPECS: '0' },
    timeoutMs: realTiming.git.searchTimeoutMs,
    maxOutputBytes,
    onLongOutput: 'truncate',
    okCodes: [0, 1],
    isLasting: true,
  });
  return stdout.toString();
}
