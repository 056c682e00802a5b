import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { eventually } from '../../harness/eventually.ts';
import { type Order, type Point, type Report, reportSchema, startedSchema } from './point.ts';

const program = join(import.meta.dirname, 'service-process.ts');
const startWithinMs = 60_000;

/** A service under trial, as a process of its own. */
export interface ServiceProcess extends AsyncDisposable {
  url: string;
  pid: number;
  /** Whose disk it has. */
  machine: string;
  /** The points that runs came to since the last `hold`, in order. */
  reports: readonly Report[];
  order(order: Order): void;
  /** Resolves when all of these wait at their points; throws with those that never do. */
  held(plan: readonly { jobId: string; point: Point }[]): Promise<void>;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** Ends it and resolves with its exit code when it is gone; null: a signal ended it. */
  kill(name: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
  hasEnded(): boolean;
}

/** Starts one and resolves when it is ready. What it logs goes to a file of the folder. */
export async function spawnProcess({
  name,
  directory,
  machine,
  environment,
}: {
  name: string;
  directory: string;
  machine: string;
  environment: Record<string, string>;
}): Promise<ServiceProcess> {
  const cwd = join(directory, name);
  await mkdir(cwd, { recursive: true });
  await using output = await open(join(cwd, 'log'), 'a');
  const { PATH, HOME } = process.env;
  const NODE_COMPILE_CACHE = join(tmpdir(), 'pagewright-compile-cache');
  const child = spawn(process.execPath, [program], {
    cwd,
    env: { PATH, HOME, NODE_COMPILE_CACHE, DATA_DIR: join(directory, `machine-${machine}`), ...environment },
    stdio: ['ignore', output.fd, output.fd, 'ipc'],
  });
  const exited = once(child, 'exit').then(([code]): number | null => code);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const reports: Report[] = [];
  let url: string | undefined;
  child.on('message', (message) => {
    const told = z.union([reportSchema, startedSchema]).parse(message);
    if ('url' in told) url = told.url;
    else reports.push(told);
  });
  const startedUrl = await eventually(
    async () => {
      if (hasEnded()) throw new Error(`${name} did not start:\n${await readFile(join(cwd, 'log'), 'utf8')}`);
      return url;
    },
    { what: `${name} is ready`, withinMs: startWithinMs },
  ).catch(async (error) => {
    child.kill('SIGKILL');
    await exited;
    throw error;
  });
  return {
    url: startedUrl,
    pid: child.pid ?? 0,
    machine,
    reports,
    order(order) {
      if ('hold' in order) reports.length = 0;
      send(child, order);
    },
    async held(plan) {
      const isHeld = (wanted: { jobId: string; point: Point }) =>
        reports.some(({ jobId, point, isHeld }) => isHeld && jobId === wanted.jobId && point === wanted.point);
      const missing = () => plan.filter((wanted) => !isHeld(wanted));
      await eventually(() => missing().length === 0 || undefined, {
        what: 'all wait at their points',
        withinMs: 150_000,
      }).catch((cause) => {
        const points = missing().map(({ point }) => point);
        throw new Error(`nobody came to ${points.join(', ')}`, { cause });
      });
    },
    signal: (name) => void child.kill(name),
    async kill(name) {
      child.kill(name);
      return exited;
    },
    hasEnded,
    async [Symbol.asyncDispose]() {
      if (hasEnded()) return;
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function send(child: ChildProcess, order: Order): void {
  child.send(order);
}
