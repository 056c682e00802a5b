import { expect, test } from 'vitest';
import { runAll } from '../../src/service/periodic-work.ts';

test('a failed task does not stop the tasks after it, and every error is thrown', async () => {
  const done: string[] = [];
  const [first, second] = [new Error('the first'), new Error('the second')];
  const tasks = [
    async () => void done.push('a'),
    () => Promise.reject(first),
    async () => void done.push('b'),
    () => Promise.reject(second),
    async () => void done.push('c'),
  ];
  await expect(runAll(tasks)).rejects.toMatchObject({ errors: [first, second] });
  expect(done).toEqual(['a', 'b', 'c']);
  await expect(runAll(tasks.slice(0, 2))).rejects.toBe(first);
  await runAll(tasks.slice(0, 1));
});
