import { runProgram } from './run-program.ts';

/** A git command with an exit status other than 0. Status 1 often is an answer, not a fault. */
export class GitError extends Error {
  override readonly name = 'GitError';
  readonly status: number | null;
  readonly stdout: string;

  constructor(args: string[], status: number | null, stdout: string, stderr: string) {
    super(`could not run git ${args[0]}: ${stderr.trim() || `it ended with status ${status}`}`);
    this.status = status;
    this.stdout = stdout;
  }
}

/** Git configuration of the machine must not change the stand-in. */
export const gitEnvironment = (): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
});

/** Runs git on a bare repository and returns its output; throws `GitError`. Undecodable bytes become U+FFFD. */
export async function runGit(
  directory: string,
  args: string[],
  { input, environment = {} }: { input?: string | Buffer; environment?: Record<string, string> } = {},
): Promise<string> {
  return (await runGitForBytes(directory, args, { environment, ...(input === undefined ? {} : { input }) })).toString();
}

/** As `runGit`, with the output in bytes. */
export async function runGitForBytes(
  directory: string,
  args: string[],
  { input, environment = {} }: { input?: string | Buffer; environment?: Record<string, string> } = {},
): Promise<Buffer> {
  const { code, stdout, stderr } = await runProgram({
    command: 'git',
    args: ['--git-dir', directory, ...args],
    env: { ...gitEnvironment(), ...environment },
    ...(input === undefined ? {} : { stdin: input }),
  });
  const output = Buffer.from(stdout.buffer, stdout.byteOffset, stdout.byteLength);
  if (code !== 0) throw new GitError(args, code, output.toString(), stderr);
  return output;
}
