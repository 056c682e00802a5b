import { type ChildProcess, spawn } from 'node:child_process';

export interface ProcessRequest {
  command: string;
  args: readonly string[];
  cwd: string;
  /** All of it: nothing of this process is inherited. */
  env: Record<string, string>;
  stdin?: string | Uint8Array | undefined;
  timeoutMs: number;
  /** The most that standard output may have; beyond that the process is ended. */
  maxOutputBytes: number;
}

export interface ProcessEnd {
  /** Null where it was ended, or did not start. */
  code: number | null;
  stdout: Uint8Array;
  /** Its first 4,000 characters. */
  stderr: string;
  isTimedOut: boolean;
  isTruncated: boolean;
  /** Why it did not start. */
  error?: { message: string; code?: string | undefined };
}

/** No shell. Abort, time-out and long output kill the process and its children. Never throws. */
export type RunProcess = (request: ProcessRequest, signal: AbortSignal) => Promise<ProcessEnd>;

const maxStderrCharacters = 4_000;

export const runProcess: RunProcess = (
  { command, args, cwd, env, stdin, timeoutMs, maxOutputBytes },
  signal,
): Promise<ProcessEnd> =>
  new Promise((resolve) => {
    // Its own process group, so that a kill reaches git-remote-https, index-pack and others.
    const child: ChildProcess = spawn(command, args, { cwd, env, detached: true });
    const chunks: Buffer[] = [];
    let bytes = 0;
    let stderr = '';
    let isTimedOut = false;
    const kill = () => killGroup(child);
    // Not AbortSignal.timeout: it lives on for minutes after the process ended.
    const timer = setTimeout(() => {
      isTimedOut = true;
      kill();
    }, timeoutMs);
    const settle = (end: { code: number | null; error?: { message: string; code?: string } }) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
      resolve({ ...end, stdout: Buffer.concat(chunks), stderr, isTimedOut, isTruncated: bytes > maxOutputBytes });
    };
    signal.addEventListener('abort', kill);
    if (signal.aborted) kill();
    child.once('error', ({ message, ...rest }) =>
      settle({ code: null, error: { message, ...('code' in rest && { code: String(rest.code) }) } }),
    );
    child.once('close', (code) => settle({ code }));

    // Without a free file descriptor the child has no streams, and emits an error.
    child.stdout?.on('data', (chunk: Buffer) => {
      const room = maxOutputBytes - bytes;
      bytes += chunk.length;
      if (room > 0) chunks.push(chunk.subarray(0, room));
      if (bytes > maxOutputBytes) kill();
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(0, maxStderrCharacters);
    });
    // It may end without reading all of its input; its exit code decides.
    child.stdin?.on('error', () => {});
    child.stdin?.end(stdin);
  });

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
