import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { PostgresPrograms } from './postgres-programs.ts';

/** How to run a program of PostgreSQL so that it does not see root. */
export interface PostgresAccount {
  /** Whose the server's files and processes are, as this process sees it. */
  owner: { uid: number; gid: number };
  /** What stands before the program's path on its command line. */
  prefix: readonly string[];
}

/** Runs one program to its end, or throws when there is no such program. `exitCode` is null when a signal ended it. */
export type PostgresCommand = (
  program: keyof PostgresPrograms,
  args: readonly string[],
  options?: { input?: string; signal?: AbortSignal | undefined },
) => Promise<{ exitCode: number | null; output: string; errors: string }>;

/**
 * Programs see nothing of our environment, which holds secrets, and run in a session of their own, so that Ctrl-C in the terminal stops us
 * and we stop them. They run in `directory` and are given relative paths: pg_ctl hands paths to a shell between double quotes.
 * An abort ends the program and all that it started, waits for their end and throws the signal's reason.
 */
export function createPostgresCommand({
  programs,
  account,
  directory,
}: {
  programs: PostgresPrograms;
  account: PostgresAccount;
  directory: string;
}): PostgresCommand {
  return async (program, args, { input = '', signal } = {}) => {
    signal?.throwIfAborted();
    const [command = '', ...rest] = [...account.prefix, programs[program], ...args];
    // Where no file descriptor is left, it has no streams, and what is wrong comes as its error.
    const child: ChildProcess = spawn(command, rest, {
      cwd: directory,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' },
      detached: true,
      ...account.owner,
    });
    const abort = () => {
      if (child.pid && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGTERM');
    };
    signal?.addEventListener('abort', abort, { once: true });
    try {
      // A program that ends before it has read its input breaks the pipe; its exit code and errors tell more than that.
      child.stdin?.on('error', () => {}).end(input);
      const [output, errors] = await Promise.all([readAll(child.stdout), readAll(child.stderr), once(child, 'close')]);
      signal?.throwIfAborted();
      const ending = child.signalCode ? `\nended by ${child.signalCode}` : '';
      return { exitCode: child.exitCode, output: output.trim(), errors: `${errors.trim()}${ending}`.trim() };
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  };
}

const readAll = async (stream: Readable | null) => (stream ? text(stream) : '');
