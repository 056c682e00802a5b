/** Why a git process did not end well. `exit`: its own exit code; the others: we ended it, or it never started. */
export type GitFailure = 'exit' | 'signal' | 'timeout' | 'output' | 'spawn';

/**
 * A git process failed. `command` is its arguments, shortened; `stderr` is bounded and free of credentials.
 * The text of git is for operators: decide by `failure` and `code`, not by it.
 */
export class GitError extends Error {
  override readonly name = 'GitError';
  readonly command: string;
  readonly failure: GitFailure;
  readonly code: number | null;
  readonly stderr: string;

  constructor(
    { command, failure, code, stderr }: { command: string; failure: GitFailure; code: number | null; stderr: string },
    options?: ErrorOptions,
  ) {
    const end = failure === 'exit' ? `exit code ${code}` : failure;
    super(`git ${command} failed (${end})${stderr === '' ? '' : `: ${stderr}`}`, options);
    this.command = command;
    this.failure = failure;
    this.code = code;
    this.stderr = stderr;
  }
}
