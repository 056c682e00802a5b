import { expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { createSerialTask } from '../src/serial-task.ts';

/** A task whose work ends when the test resolves its turn. */
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
  const untilIdle = () => eventually(async () => (task.isRunning() ? undefined : true));
  return { task, turns, errors, stopping, untilIdle };
}

test('requests during the work make it run once more, afterwards', async () => {
  const { task, turns, untilIdle } = openTask();
  for (let count = 0; count < 3; count += 1) task.request();
  expect(turns).toHaveLength(1);
  turns[0]?.resolve();
  await eventually(async () => turns[1]);
  turns[1]?.resolve();
  await untilIdle();
  expect(turns).toHaveLength(2);
});

test('a failed task reports its error and runs again on the next request', async () => {
  const { task, turns, errors, untilIdle } = openTask();
  task.request();
  turns[0]?.reject('no answer');
  await untilIdle();
  expect(errors).toEqual(['no answer']);
  task.request();
  expect(turns).toHaveLength(2);
});

test('a stopped task finishes its work and does not start again', async () => {
  const { task, turns, stopping, untilIdle } = openTask();
  task.request();
  task.request();
  stopping.abort();
  expect(task.isRunning()).toBe(true);
  turns[0]?.resolve();
  await untilIdle();
  task.request();
  expect(turns).toHaveLength(1);
});
