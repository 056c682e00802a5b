import { prosePathspecs } from '../../docs/page-extensions.ts';
import type { InRepository } from '../../git/git.ts';
import { realTiming } from '../../timing.ts';

const maxOutputBytes = 8 * 1024 ** 2;

/**
 * Searches the pages of the commit `sha` with `git grep`, within a time-out. Cuts long output. `stdin` is for `-f -`: other users of the
 * machine see arguments.
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
