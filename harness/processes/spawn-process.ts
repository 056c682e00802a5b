import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import { onBusyMachine } from '../on-busy-machine.ts';

const startWithinMs = 60_000;
const stopWithinMs = 25_000;

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A child process. Disposing sends SIGTERM, then SIGKILL. */
export interface SpawnedProcess extends AsyncDisposable {
  child: ChildProcess;
  pid: number;
  /** Its output so far: stdout and stderr, in whole lines. */
  readonly lines: readonly string[];
  hasEnded(): boolean;
  /** Sends SIGSTOP or SIGCONT. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** Resolves when the process is gone. Its children, such as git, survive it, as in a real crash. */
  kill(name: 'SIGKILL' | 'SIGTERM'): Promise<Exit>;
  /** Polls `look` until it returns a value. On the process's end or a time-out it kills the process and throws with its output. */
  started<Found>(look: () => Promise<Found | undefined> | Found | undefined): Promise<Found>;
}

/** Starts a program in `cwd` with only `environment`; its output goes to the file `log` there. */
export async function spawnProcess({
  command: [program, ...args],
  cwd,
  environment,
  hasChannel = false,
}: {
  command: readonly [string, ...string[]];
  cwd: string;
  environment: Record<string, string>;
  hasChannel?: boolean;
}): Promise<SpawnedProcess> {
  await mkdir(cwd, { recursive: true });
  const logFile = join(cwd, 'log');
  await using output = await open(logFile, 'a');
  const { PATH, HOME } = process.env;
  // Caches the compiled service between starts: a suite with dozens of starts is twice as fast.
  const NODE_COMPILE_CACHE = join(tmpdir(), 'pagewright-compile-cache');
  const child = spawn(program, args, {
    cwd,
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', output.fd, output.fd, ...(hasChannel ? (['ipc'] as const) : [])],
  });
  const exited = once(child, 'exit').then(([code, signal]): Exit => ({ code, signal }));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const readLog = () => readFileSync(logFile, 'utf8');
  const kill = async (name: NodeJS.Signals) => {
    child.kill(name);
    return exited;
  };
  return {
    child,
    pid: child.pid ?? 0,
    get lines() {
      return readLog().split('\n').slice(0, -1);
    },
    hasEnded,
    signal: (name) => void child.kill(name),
    kill,
    async started(look) {
      const lookUnlessEnded = () => {
        if (hasEnded()) throw new Error(`${program} ended with ${child.exitCode ?? child.signalCode}`);
        return look();
      };
      try {
        return await eventually(lookUnlessEnded, {
          what: `${program} is ready`,
          withinMs: onBusyMachine(startWithinMs),
        });
      } catch (cause) {
        await kill('SIGKILL');
        throw new Error(`could not start ${[program, ...args].join(' ')}:\n${readLog()}`, { cause });
      }
    },
    async [Symbol.asyncDispose]() {
      if (hasEnded()) return;
      const hard = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
      child.kill('SIGCONT');
      await kill('SIGTERM');
      clearTimeout(hard);
    },
  };
}
