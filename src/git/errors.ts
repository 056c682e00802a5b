import { ExpectedError, ReasonedRefusal } from '../errors.ts';

/** `exit`: git's own exit code; the others: we ended git, or it never started. */
export type GitFailure = 'exit' | 'signal' | 'timeout' | 'output' | 'spawn';

/**
 * `command` is shortened; `stderr` is bounded and free of credentials. Decide by `failure` and `code`, never by the text. If the disk was full,
 * `isDiskFull` is true.
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

export type GitRefusalFacts =
  | { reason: 'repository_gone'; status: number }
  /** `words`: the server's own, on one line and bounded. */
  | { reason: 'address_refused'; words: string }
  | { reason: 'repository_empty' }
  | { reason: 'branch_missing'; branch: string }
  | { reason: 'repository_too_large'; maxBytes: number; maxFiles?: number }
  | { reason: 'repository_invalid' };

export class GitRefusal extends ReasonedRefusal<GitRefusalFacts> {
  override readonly name = 'GitRefusal';

  constructor(facts: GitRefusalFacts, options?: ErrorOptions) {
    super(describe(facts), facts, options);
  }
}

function describe(facts: GitRefusalFacts): string {
  switch (facts.reason) {
    case 'repository_gone':
      return `the repository's server answered ${facts.status}`;
    case 'address_refused':
      return `the repository's server refuses this machine's address: ${facts.words}`;
    case 'repository_empty':
      return 'the repository has no commit';
    case 'branch_missing':
      return `the repository has no branch ${facts.branch}`;
    case 'repository_too_large':
      return facts.maxFiles === undefined
        ? `the repository has more than ${facts.maxBytes} bytes`
        : `the repository has more than ${facts.maxFiles} files and folders or ${facts.maxBytes} bytes`;
    case 'repository_invalid':
      return 'git refused objects of the repository';
  }
}

/** The repository's server gave no answer, or a 5xx: retry later. */
export class RemoteUnavailable extends ExpectedError {
  override readonly name = 'RemoteUnavailable';
}
