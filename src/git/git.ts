import { type ChildProcess, spawn } from 'node:child_process';
import { realTiming } from '../timing.ts';
import { GitError, type GitFailure } from './errors.ts';
import { basicAuthorization, type Credential, createGitEnvironment } from './git-environment.ts';

export interface GitOptions {
  signal: AbortSignal;
  /** The repository. Always named: git never looks for one by itself. */
  gitDir?: string;
  cwd?: string;
  stdin?: string | Uint8Array;
  /** Shown to the remote at this URL, and to nobody else. Only for what talks to a remote. */
  credential?: Credential;
  env?: Record<string, string>;
  timeoutMs?: number;
  maxOutputBytes?: number;
  /** What to do when the output is longer than that: fail (default), or end git and return what there is. */
  onLongOutput?: 'fail' | 'truncate';
  /** Exit codes that are answers, not failures. */
  okCodes?: readonly number[];
}

export interface GitResult {
  code: number;
  stdout: Buffer;
  /** Bounded, free of credentials. */
  stderr: string;
  truncated: boolean;
}

/** That a remote does not want to be asked with this token for a while. */
export interface RemoteLimit {
  token: string;
  until: Date;
  /** Whether the remote said until when. */
  isStated: boolean;
}

/**
 * Runs git once with these arguments, never through a shell, in an environment that holds nothing of ours. When the signal aborts, the
 * time is up or the output is too long, git and all its children are killed. Throws `GitError`, or the signal's reason when aborted.
 */
export interface Git {
  (args: readonly string[], options: GitOptions): Promise<GitResult>;
  /** Called when a remote refused git by a limit, before `Parked` is thrown. Returns when it is to be asked again. */
  onLimited?: (limit: RemoteLimit) => Promise<Date>;
}

/** What every question to a repository on this machine takes. `gitDir`: its folder, which is bare. `signal` ends git. */
export interface InRepository {
  git: Git;
  gitDir: string;
  signal: AbortSignal;
}

const maxStderrCharacters = 4_000;

/** Builds the only way to run git. `allowHttp` is for a GITHUB_URL that starts with http://; `path` is where git is looked for. */
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

    // Where no file descriptor is left, it has no streams, and what is wrong comes as its error.
    const child: ChildProcess = spawn('git', args, {
      cwd: cwd ?? gitDir ?? '/',
      env: {
        ...createGitEnvironment({ allowHttp, path, credential }),
        ...(gitDir === undefined ? {} : { GIT_DIR: gitDir }),
        ...env,
      },
      // Its own process group, so that killing it reaches git-remote-https, index-pack and whatever else it started.
      detached: true,
    });
    // Not AbortSignal.timeout: that one stays for its minutes when git has long ended, and there are some ten of them in a run.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    const output = collect(child, maxOutputBytes, () => killGroup(child));
    // git may end without reading all of its input: its exit code says what that meant.
    child.stdin?.on('error', () => {});
    child.stdin?.end(stdin);
    const ended = await endOf(child, AbortSignal.any([signal, late.signal]));
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
      throw fail(late.signal.aborted ? 'timeout' : 'signal');
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
    // It ended by itself between the decision and the kill.
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
