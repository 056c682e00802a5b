import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DemoFailure } from './demo-failure.ts';

const root = join(import.meta.dirname, '../..');
/** The settings of `npm start` for the C library and V8. */
export const startsWith = {
  environment: { MALLOC_ARENA_MAX: '1' },
  options: ['--max-semi-space-size=2', '--heap-growing-percent=20'],
};
const startWithinMs = 60_000;
const stopWithinMs = 20_000;

/**
 * Starts the service as `npm start` does, in the directory of its log. An abort ends it and its commands, waits until they are gone and
 * throws the signal's reason.
 */
export async function startService({
  environment,
  logFile,
  signal,
}: {
  environment: Record<string, string>;
  logFile: string;
  signal: AbortSignal;
}) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = openSync(logFile, 'a');
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const own = { PORT: String(port), PUBLIC_URL: url };
  const env = { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, ...startsWith.environment, ...environment, ...own };
  // In the project's directory the service would read the operator's .env, with their database and keys.
  const cwd = dirname(logFile);
  const command = [...startsWith.options, join(root, 'src/main.ts')];
  const child = spawn(process.execPath, command, { cwd, env, stdio: ['ignore', log, log] });
  closeSync(log);
  try {
    await untilReady(child, url, signal);
  } catch (error) {
    await stop(child);
    signal.throwIfAborted();
    throw new DemoFailure(`could not start the service. Its log:\n${await readFile(logFile, 'utf8')}`, {
      cause: error,
    });
  }
  return {
    url,
    pid: child.pid ?? 0,
    /** Runs `pagewright keys` with the same environment. */
    async keys(...args: string[]): Promise<string> {
      const command = promisify(execFile)(process.execPath, [join(root, 'src/pagewright.ts'), 'keys', ...args], {
        env,
        cwd,
      });
      const end = () => command.child.kill('SIGTERM');
      signal.addEventListener('abort', end, { once: true });
      try {
        return (await command).stdout;
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener('abort', end);
      }
    },
    [Symbol.asyncDispose]: () => stop(child),
  };
}

async function untilReady(child: ChildProcess, url: string, signal: AbortSignal): Promise<void> {
  const deadline = AbortSignal.timeout(startWithinMs);
  const ended = AbortSignal.any([signal, deadline]);
  while (!ended.aborted) {
    if (hasEnded(child)) throw new Error(`the service ended with ${child.exitCode ?? child.signalCode}`);
    const isReady = await fetch(`${url}/readyz`, { signal: ended }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await delay(50);
  }
  signal.throwIfAborted();
  throw new Error(`the service was not ready within ${startWithinMs / 1_000} seconds`);
}

/** SIGTERM first: a killed service leaves its database server running. */
async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exited = once(child, 'exit');
  const hard = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
  child.kill('SIGTERM');
  await exited;
  clearTimeout(hard);
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('could not find a free port');
  return address.port;
}
