import { type ChildProcess, spawn } from 'node:child_process';
import { realTiming } from '../timing.ts';
import { GitError, type GitFailure } from './errors.ts';
import { basicAuthorization, type Credential, createGitEnvironment } from './git-environment.ts';

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
  /** Called at a remote's rate limit, before `Parked` is thrown. Returns when to try again. */
  onLimited?: (limit: RemoteLimit) => Promise<Date>;
}

/** `gitDir` is a bare repository. */
export interface InRepository {
  git: Git;
  gitDir: string;
  signal: AbortSignal;
}

const maxStderrCharacters = 4_000;

/** `allowHttp` is for a GITHUB_URL with http://; `path` is where git is searched. */
export function createGit({
  allowHttp,
  path = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
}: {
  allowHttp: boolean;
  path?: string;
}): Git {
  return async (args, options) => {
    const { signal, gitDir, cwd, stdin, credential, env, onLongOutput = 'fail', okCodes = [0] } = options;
    const { timeoutMs = realTiming.git.commandTimeoutMs, maxOutputBytes = 16 * 1024 * 1024 } = options;
    signal.throwIfAborted();

    // Without a free file descriptor the child has no streams, and emits an error.
    const child: ChildProcess = spawn('git', args, {
      cwd: cwd ?? gitDir ?? '/',
      env: {
        ...createGitEnvironment({ allowHttp, path, credential }),
        ...(gitDir === undefined ? {} : { GIT_DIR: gitDir }),
        ...env,
      },
      // Its own process group, so that a kill reaches git-remote-https, index-pack and others.
      detached: true,
    });
    // Not AbortSignal.timeout: it lives on for minutes after git ended.
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    const output = collect(child, maxOutputBytes, () => killGroup(child));
    // git may end without reading all of its input; its exit code decides.
    child.stdin?.on('error', () => {});
    child.stdin?.end(stdin);
    const ended = await endOf(child, AbortSignal.any([signal, timeout.signal]));
    clearTimeout(timer);

    signal.throwIfAborted();
    const stderr = hideCredential(output.stderr(), credential);
    const fail = (failure: GitFailure, cause?: unknown): GitError =>
      new GitError({ command: summarise(args), failure, code: ended.code, stderr }, { cause });
    if (ended.error !== undefined) {
      throw fail('spawn', ended.error);
    }
    if (output.truncated() && onLongOutput === 'truncate') {
      return { code: 0, stdout: output.stdout(), stderr, truncated: true };
    }
    if (output.truncated()) {
      throw fail('output');
    }
    if (ended.code === null) {
      throw fail(timeout.signal.aborted ? 'timeout' : 'signal');
    }
    if (!okCodes.includes(ended.code)) {
      throw fail('exit');
    }
    return { code: ended.code, stdout: output.stdout(), stderr, truncated: false };
  };
}

function collect(child: ChildProcess, maxBytes: number, onLong: () => void) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    const room = maxBytes - bytes;
    bytes += chunk.length;
    if (room > 0) {
      chunks.push(chunk.subarray(0, room));
    }
    if (bytes > maxBytes) {
      onLong();
    }
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(0, maxStderrCharacters);
  });
  return { stdout: () => Buffer.concat(chunks), stderr: () => stderr.trim(), truncated: () => bytes > maxBytes };
}

function endOf(child: ChildProcess, stop: AbortSignal): Promise<{ code: number | null; error?: Error }> {
  return new Promise((resolve) => {
    const kill = () => killGroup(child);
    const settle = (end: { code: number | null; error?: Error }) => {
      stop.removeEventListener('abort', kill);
      resolve(end);
    };
    stop.addEventListener('abort', kill);
    child.once('error', (error) => settle({ code: null, error }));
    child.once('close', (code) => settle({ code }));
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) {
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

function hideCredential(text: string, credential: Credential | undefined): string {
  if (credential === undefined || credential.token === '') {
    return text;
  }
  return text.replaceAll(credential.token, '[token]').replaceAll(basicAuthorization(credential.token), '[token]');
}

function summarise(args: readonly string[]): string {
  const line = args.join(' ').replaceAll('\0', ' ');
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
