import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryLock } from '../../src/disk/file-lock.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pagewright-lock-'));
});
afterAll(() => rm(directory, { recursive: true }));

test('many hold it shared, or one alone', () => {
  const path = join(directory, 'a.lock');
  const [first, second] = [tryLock(path, 'shared'), tryLock(path, 'shared')];
  expect(tryLock(path, 'exclusive')).toBeNull();
  first?.[Symbol.dispose]();
  expect(tryLock(path, 'exclusive')).toBeNull();
  second?.[Symbol.dispose]();
  const alone = tryLock(path, 'exclusive');
  expect(alone).not.toBeNull();
  expect(tryLock(path, 'shared')).toBeNull();
  expect(tryLock(path, 'exclusive')).toBeNull();
  alone?.[Symbol.dispose]();
});

test('who has it alone may share it from then on', () => {
  const path = join(directory, 'd.lock');
  const held = tryLock(path, 'exclusive');
  expect(held?.share()).toBe(true);
  const other = tryLock(path, 'shared');
  expect(other).not.toBeNull();
  expect(tryLock(path, 'exclusive')).toBeNull();
  other?.[Symbol.dispose]();
  held?.[Symbol.dispose]();
  const alone = tryLock(path, 'exclusive');
  expect(alone).not.toBeNull();
  alone?.[Symbol.dispose]();
});

test('a process that is killed lets it go', async () => {
  const path = join(directory, 'c.lock');
  const module = JSON.stringify(new URL('../../src/disk/file-lock.ts', import.meta.url).href);
  const script = `const { tryLock } = await import(${module}); globalThis.held = tryLock(${JSON.stringify(path)}, 'exclusive'); console.log('held'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  expect(tryLock(path, 'shared')).toBeNull();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const held = tryLock(path, 'exclusive');
  expect(held).not.toBeNull();
  held?.[Symbol.dispose]();
});
