import { realTiming } from '../timing.ts';
import type { InRepository } from './git.ts';
import { runGit } from './run-git.ts';

const maxOutputBytes = 8 * 1024 ** 2;

/**
 * Searches files of the commit `sha` with `git grep`, within a time-out. Cuts long output. `stdin` is for `-f -`: other users of the
 * machine see arguments.
 */
export async function grepFiles(
  { sha, ...at }: InRepository & { sha: string },
  flags: readonly string[],
  { pathspecs, stdin = '' }: { pathspecs: readonly string[]; stdin?: string },
): Promise<string> {
  const { stdout } = await runGit(at, ['grep', '-I', '--no-color', ...flags, sha, '--', ...pathspecs], {
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
