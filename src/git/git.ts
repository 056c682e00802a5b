import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { leastFreeBytes, readFreeBytes } from '../disk/files.ts';
import { realTiming } from '../timing.ts';
import { GitError, type GitFailure } from './errors.ts';
import { basicAuthorization, type Credential, createGitEnvironment, listProgramFolders } from './git-environment.ts';
import { type RunProcess, runProcess as runProcessHere } from './processes/run-process.ts';

export interface GitOptions {
  signal: AbortSignal;
  /** Always explicit: git never searches for one. */
  gitDir?: string;
  cwd?: string;
  stdin?: string | Uint8Array;
  /** Sent only to the remote at this URL. */
  credential?: Credential;
  env?: Record<string, string>;
  timeoutMs?: number;
  maxOutputBytes?: number;
  onLongOutput?: 'fail' | 'truncate';
  /** Exit codes that do not throw. */
  okCodes?: readonly number[];
  /** Arguments and input name all objects by SHA, so the output never changes, and is kept for a while. */
  isLasting?: boolean;
}

export interface GitResult {
  code: number;
  stdout: Buffer;
  stderr: string;
  truncated: boolean;
}

export interface RemoteLimit {
  token: string;
  until: Date;
  /** Whether the remote named a time. */
  isStated: boolean;
}

/** No shell and a clean environment. Abort, time-out and long output kill git and its children. Throws `GitError`, or the signal's reason. */
export interface Git {
  (args: readonly string[], options: GitOptions): Promise<GitResult>;
  /** Called before a request to a remote. Throws `Parked` during a rate limit. */
  admit?: (request: { token: string; signal: AbortSignal }) => Promise<void>;
  /** Called at a remote's rate limit, before `Parked` is thrown. Returns when to try again. */
  onLimited?: (limit: RemoteLimit) => Promise<Date>;
}

/** `gitDir` is a bare repository. */
export interface InRepository {
  git: Git;
  gitDir: string;
  signal: AbortSignal;
}

/** `allowHttp` is for a GITHUB_URL with http://; `path` is where git is searched, by default the PATH of this process; a large process passes a spawner's `runProcess`. */
export function createGit(parts: { allowHttp: boolean; path?: string; runProcess?: RunProcess }): Git {
  const { allowHttp, path = listProgramFolders(process.env.PATH), runProcess = runProcessHere } = parts;
  const kept = createKeptOutputs();
  return async (args, options) => {
    const { signal, gitDir, cwd, stdin, credential, env, onLongOutput = 'fail', okCodes = [0] } = options;
    const { timeoutMs = realTiming.git.commandTimeoutMs, maxOutputBytes = 16 * 1024 * 1024 } = options;
    signal.throwIfAborted();
    const known = options.isLasting ? kept.find(args, options) : undefined;
    if (known) return { ...known, stderr: '', truncated: false };

    const ended = await runProcess(
      {
        command: 'git',
        args,
        cwd: cwd ?? gitDir ?? '/',
        env: {
          ...createGitEnvironment({ allowHttp, path, credential }),
          ...(gitDir === undefined ? {} : { GIT_DIR: gitDir }),
          ...env,
        },
        stdin,
        timeoutMs,
        maxOutputBytes,
      },
      signal,
    );

    signal.throwIfAborted();
    const stderr = hideCredential(ended.stderr.trim(), credential);
    const stdout = Buffer.from(ended.stdout.buffer, ended.stdout.byteOffset, ended.stdout.byteLength);
    const fail = (failure: GitFailure, cause?: unknown): GitError =>
      new GitError({ command: summarise(args), failure, code: ended.code, stderr }, { cause });
    if (ended.error !== undefined)
      throw fail('spawn', Object.assign(new Error(ended.error.message), { code: ended.error.code }));
    if (ended.isTruncated && onLongOutput === 'truncate') return { code: 0, stdout, stderr, truncated: true };
    if (ended.isTruncated) throw fail('output');
    if (ended.code === null) throw fail(ended.isTimedOut ? 'timeout' : 'signal');
    if (!okCodes.includes(ended.code)) throw fail('exit', await findFullDisk(gitDir ?? cwd));
    if (options.isLasting) kept.keep(args, options, { code: ended.code, stdout });
    return { code: ended.code, stdout, stderr, truncated: false };
  };
}

/** git does not always say it. Read at once, before what git wrote is removed. */
async function findFullDisk(directory: string | undefined): Promise<Error | undefined> {
  if (directory === undefined) return undefined;
  const free = await readFreeBytes(directory).catch(() => leastFreeBytes);
  if (free >= leastFreeBytes) return undefined;
  return Object.assign(new Error(`the disk of ${directory} has ${free} bytes of free space`), { code: 'ENOSPC' });
}

function hideCredential(text: string, credential: Credential | undefined): string {
  if (credential === undefined || credential.token === '') return text;
  return text.replaceAll(credential.token, '[token]').replaceAll(basicAuthorization(credential.token), '[token]');
}

function summarise(args: readonly string[]): string {
  const line = args.join(' ').replaceAll('\0', ' ');
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

/** As git writes it: git version 2.47.3. */
export async function readGitVersion(git: Git, signal: AbortSignal): Promise<string> {
  return (await git(['--version'], { signal })).stdout.toString().trim();
}

/** Longer outputs are rare, and would take the place of many. */
const maxOutputBytes = 4 * 1024 ** 2;
const maxBytes = 16 * 1024 ** 2;

interface KeptOutput {
  code: number;
  stdout: Buffer;
}

interface CommandOptions {
  gitDir?: string;
  stdin?: string | Uint8Array;
  env?: Record<string, string>;
}

/** Caches the output of commands that always print the same. The caller owns the result, and may move it to a thread. */
function createKeptOutputs() {
  const kept = new LRUCache<string, KeptOutput>({
    maxSize: maxBytes,
    maxEntrySize: maxOutputBytes,
    sizeCalculation: ({ stdout }, key) => stdout.byteLength + key.length + 1,
  });
  return {
    find(args: readonly string[], options: CommandOptions): KeptOutput | undefined {
      const found = kept.get(nameCommand(args, options));
      return found && { code: found.code, stdout: Buffer.from(found.stdout) };
    },
    /** Not the failure of a command: an object that was missing may be there the next time. */
    keep(args: readonly string[], options: CommandOptions, { code, stdout }: KeptOutput): void {
      if (code > 1 || stdout.byteLength > maxOutputBytes) return;
      kept.set(nameCommand(args, options), { code, stdout: Buffer.from(stdout) });
    },
  };
}

const nameCommand = (args: readonly string[], { gitDir, stdin = '', env }: CommandOptions): string =>
  createHash('sha256')
    .update(JSON.stringify([gitDir, args, env]))
    .update(stdin)
    .digest('base64');
