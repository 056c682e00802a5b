import { expect, test } from 'vitest';
import { doEach } from '../../src/service/do-each.ts';

test('a part that fails keeps no other from being done, and all that did are told', async () => {
  const done: string[] = [];
  const [first, second] = [new Error('the first'), new Error('the second')];
  const parts = [
    async () => void done.push('a'),
    () => Promise.reject(first),
    async () => void done.push('b'),
    () => Promise.reject(second),
    async () => void done.push('c'),
  ];
  await expect(doEach(parts)).rejects.toMatchObject({ errors: [first, second] });
  expect(done).toEqual(['a', 'b', 'c']);
  await expect(doEach(parts.slice(0, 2))).rejects.toBe(first);
  await doEach(parts.slice(0, 1));
});
