import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inject } from 'vitest';

/** The first start of a service, with an embedded database. */
export async function startFirstTime(environment: Record<string, string> = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-main-'));
  const dataDir = join(directory, 'data');
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [resolve('src/main.ts')], {
    cwd: directory,
    env: {
      PATH,
      HOME,
      DATA_DIR: dataDir,
      PORT: '0',
      APP_ID: '1',
      PRIVATE_KEY: inject('privateKey'),
      WEBHOOK_SECRET: 'sixteen-letters!',
      OPENAI_API_KEY: 'sk-1',
      OPENAI_MODEL: 'm',
      GITHUB_API_URL: 'http://127.0.0.1:1',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    printed += chunk;
  });
  return {
    child,
    dataDir,
    ended,
    output: ended.then(() => printed),
    /** The first log line that contains this text. */
    async logged(part: string): Promise<Record<string, unknown>> {
      for (;;) {
        const line = printed.split('\n').find((candidate) => candidate.includes(part) && candidate.endsWith('}'));
        if (line) return JSON.parse(line);
        if (child.exitCode !== null) throw new Error(`it ended before it logged ${part}:\n${printed}`);
        await delay(5);
      }
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
      await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/** Settings of a service whose App is not registered yet: it serves the set-up. */
export const withoutApp = { APP_ID: '', PRIVATE_KEY: '', WEBHOOK_SECRET: '' };

/** The log line with the address of the set-up. */
export const notRegistered = 'the App is not registered yet: open the url to set pagewright up';
