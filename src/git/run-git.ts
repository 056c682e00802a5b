import type { GitOptions, GitResult, InRepository } from './git.ts';

/** Runs git in the repository. */
export const runGit = (
  { git, gitDir, signal }: InRepository,
  args: readonly string[],
  options: Partial<GitOptions> = {},
): Promise<GitResult> => git(args, { gitDir, signal, ...options });

/** What git prints in the repository, without the end of its last line. */
export async function readGit(...command: Parameters<typeof runGit>): Promise<string> {
  return (await runGit(...command)).stdout.toString().trim();
}
