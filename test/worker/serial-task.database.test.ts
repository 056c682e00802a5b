import { expect, test } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { createSerialTask } from '../../src/worker/serial-task.ts';

/** A task whose each turn lasts until it is told how it ends. */
function openTask() {
  const stopping = new AbortController();
  const turns: PromiseWithResolvers<void>[] = [];
  const errors: unknown[] = [];
  const task = createSerialTask({
    work() {
      const turn = Promise.withResolvers<void>();
      turns.push(turn);
      return turn.promise;
    },
    onError: (error) => void errors.push(error),
    signal: stopping.signal,
  });
  const untilIdle = () => eventually(async () => (task.isBusy() ? undefined : true));
  return { task, turns, errors, stopping, untilIdle };
}

test('however many ask while a task is done, it is done once more, and not at the same time', async () => {
  const { task, turns, untilIdle } = openTask();
  for (let count = 0; count < 3; count += 1) task.ask();
  expect(turns).toHaveLength(1);
  turns[0]?.resolve();
  await eventually(async () => turns[1]);
  turns[1]?.resolve();
  await untilIdle();
  expect(turns).toHaveLength(2);
});

test('a task that fails tells why, and is done again for the next who asks', async () => {
  const { task, turns, errors, untilIdle } = openTask();
  task.ask();
  turns[0]?.reject('no answer');
  await untilIdle();
  expect(errors).toEqual(['no answer']);
  task.ask();
  expect(turns).toHaveLength(2);
});

test('a task that is stopped ends what it does, and begins nothing any more', async () => {
  const { task, turns, stopping, untilIdle } = openTask();
  task.ask();
  task.ask();
  stopping.abort();
  expect(task.isBusy()).toBe(true);
  turns[0]?.resolve();
  await untilIdle();
  task.ask();
  expect(turns).toHaveLength(1);
});
