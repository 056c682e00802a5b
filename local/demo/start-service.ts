import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';

const root = join(import.meta.dirname, '../..');
const startWithinMs = 60_000;
const stopWithinMs = 20_000;

/** The service as a process of its own, as an operator starts it: `npm start` with an environment. */
export async function startService({ environment, logFile }: { environment: Record<string, string>; logFile: string }) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = openSync(logFile, 'a');
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...environment, PORT: String(port), PUBLIC_URL: url };
  const child = spawn(process.execPath, [join(root, 'src/main.ts')], { cwd: root, env, stdio: ['ignore', log, log] });
  await untilReady(child, url).catch(async (error) => {
    child.kill('SIGKILL');
    throw new Error(`${error.message}; its log says:\n${await readFile(logFile, 'utf8')}`);
  });
  return {
    url,
    /** Runs `npm run -s keys --` beside it, with the same environment. */
    async keys(...args: string[]): Promise<string> {
      const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'src/cli/keys.ts'), ...args], {
        env,
        cwd: root,
      });
      return stdout;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      const stopped = await Promise.race([once(child, 'exit'), delay(stopWithinMs, undefined, { ref: false })]);
      if (!stopped) child.kill('SIGKILL');
    },
  };
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + startWithinMs;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await delay(50);
  }
  throw new Error('the service did not start in time');
}
