import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { glob, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

/** A service that starts for the first time, with the embedded database in a folder of its own. */
async function startFirstTime(environment: Record<string, string> = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-main-'));
  const dataDir = join(directory, 'data');
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [resolve('src/main.ts')], {
    cwd: directory,
    env: {
      ...{ PATH, HOME, DATA_DIR: dataDir, PORT: '0', APP_ID: '1', PRIVATE_KEY: privateKey },
      ...{ WEBHOOK_SECRET: 'sixteen-letters!', OPENAI_API_KEY: 'sk-1', OPENAI_MODEL: 'm' },
      ...{ GITHUB_API_URL: 'http://127.0.0.1:1', ...environment },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  return {
    child,
    dataDir,
    ended,
    output: text(child.stdout),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
      await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s during the first start, even twice, leaves no half-made database',
  async (signal) => {
    await using service = await startFirstTime();
    while ((await Array.fromAsync(glob('postgres-new-*', { cwd: service.dataDir }))).length === 0) await delay(5);
    service.child.kill(signal);
    service.child.kill(signal);
    expect(await service.ended).toEqual({ code: 0, signal: null });
    expect(await readdir(service.dataDir)).toEqual([]);
    const output = await service.output;
    expect(output.match(/pagewright is stopping/g)).toHaveLength(1);
    expect(output).not.toContain('could not');
  },
);

test('a port in use ends the start with one line that names it, and the database with it', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => void taken.close());
  const address = taken.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  await using service = await startFirstTime({ PORT: String(port) });
  expect(await service.ended).toEqual({ code: 1, signal: null });
  const lines = (await service.output).trimEnd().split('\n');
  expect(lines).toEqual([expect.stringContaining(`could not listen on 127.0.0.1:${port}`)]);
  expect(await readdir(join(service.dataDir, 'postgres'))).not.toContain('postmaster.pid');
  // Nothing worked before: a worker's folders are made when it starts.
  expect(await readdir(service.dataDir)).toEqual(['postgres']);
});
