import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { eventually } from '../../harness/eventually.ts';
import { createCaller, type World } from './world.ts';

const root = join(import.meta.dirname, '../..');
const startWithinMs = 40_000;
const stopWithinMs = 25_000;

/** How a process ended: by itself, with a code, or by a signal. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The service as a process of its own. Disposing ends it, kindly first. */
export interface SpawnedService extends AsyncDisposable {
  url: string;
  caller: ReturnType<typeof createCaller>;
  /** What it printed so far: JSON of the log, one line each. */
  lines: readonly string[];
  /** Resolves when it has logged this message. */
  logged(message: string): Promise<void>;
  /** Stops or continues it. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** Ends it and resolves when it is gone. Only this process: the git that it started lives on, as it does in a real crash. */
  kill(name: 'SIGKILL' | 'SIGTERM'): Promise<Exit>;
}

/**
 * Starts a service in a world and resolves when it is ready. Its port is any free one, and the world's webhooks go to it. `command`
 * is run in a folder of the world that has the project's code and no `.env`; an empty variable of `environment` takes that of the
 * world away.
 */
export async function spawnService(
  world: Pick<World, 'environment' | 'directory' | 'github' | 'projectId' | 'key'>,
  {
    environment = {},
    command = [process.execPath, 'src/main.ts'],
  }: { environment?: Record<string, string>; command?: readonly [string, ...string[]] } = {},
): Promise<SpawnedService> {
  const { PATH, HOME } = process.env;
  // Compiled once and not at each start: a suite that starts dozens is twice as fast.
  const NODE_COMPILE_CACHE = join(tmpdir(), 'pagewright-compile-cache');
  const env = { PATH, HOME, NODE_COMPILE_CACHE, ...world.environment, ...environment };
  const [program, ...args] = command;
  const cwd = await mkdtemp(join(world.directory, 'project-'));
  for (const name of ['package.json', 'src']) await symlink(join(root, name), join(cwd, name));
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit').then(([code, signal]): Exit => ({ code, signal }));
  const lines = readLines(child);
  const isGone = () => child.exitCode !== null || child.signalCode !== null;

  const url = await eventually(
    async () => {
      if (isGone()) throw new Error(`the service did not start:\n${lines.join('\n')}`);
      const found = lines.map(readUrl).find((there) => there !== undefined);
      return found && (await fetch(`${found}/readyz`)).ok ? found : undefined;
    },
    { what: 'the service is ready', withinMs: startWithinMs },
  ).catch((error) => {
    child.kill('SIGKILL');
    throw error;
  });
  world.github.setWebhook(`${url}/api/github/webhooks`, world.environment.WEBHOOK_SECRET ?? '');

  const kill = async (name: NodeJS.Signals) => {
    child.kill(name);
    return exited;
  };
  return {
    url,
    caller: createCaller({ url, world }),
    lines,
    logged: (message) =>
      eventually(() => lines.some((line) => line.includes(`"msg":"${message}"`)) || undefined).then(() => {}),
    signal: (name) => void child.kill(name),
    kill,
    async [Symbol.asyncDispose]() {
      if (isGone()) return;
      const hard = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
      child.kill('SIGCONT');
      await kill('SIGTERM');
      clearTimeout(hard);
    },
  };
}

function readLines({ stdout, stderr }: ChildProcessByStdio<null, Readable, Readable>): string[] {
  const lines: string[] = [];
  for (const input of [stdout, stderr]) createInterface({ input }).on('line', (line) => void lines.push(line));
  return lines;
}

const readUrl = (line: string) => /"url":"(http:[^"]+)".*"msg":"pagewright is ready"/.exec(line)?.[1];
