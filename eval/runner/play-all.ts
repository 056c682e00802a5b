import { findCost, type Prices } from '../../src/config/prices.ts';
import type { Evaluation } from '../command.ts';
import type { Result } from '../result.ts';
import type { Task } from '../tasks/task.ts';
import type { Stage } from './open-stage.ts';
import { playTask } from './play-task.ts';

/** Does all tasks, so many at once, and reports each when it has ended. Throws what `playTask` throws: then no other task begins. */
export async function playAll(
  stage: Stage,
  {
    evaluation: { tasks, repeat, concurrency, minutes },
    prices,
    onResult,
    signal,
  }: {
    evaluation: Evaluation;
    prices: Prices;
    onResult: (result: Result) => void;
    signal: AbortSignal;
  },
): Promise<Result[]> {
  const waiting = Array.from({ length: repeat }, () => tasks).flat();
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const results: Result[] = [];
  let started = 0;

  async function playNext(task: Task): Promise<Result> {
    started += 1;
    const began = performance.now();
    // The name says nothing about the task: the model reads it.
    const owner = `acme-${started}`;
    const { reasons, ...played } = await playTask(stage, { task, owner, limitMs: minutes * 60_000, signal: stop });
    const seconds = (performance.now() - began) / 1_000;
    const cost = findCost(prices, stage.model, played);
    return { task: task.name, right: reasons.length === 0, reasons, ...played, cost, seconds };
  }

  async function work(): Promise<void> {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      stop.throwIfAborted();
      const result = await playNext(task);
      results.push(result);
      onResult(result);
    }
  }

  const workers = Array.from({ length: concurrency }, () =>
    work().catch((error: unknown) => {
      failed.abort(error);
      throw error;
    }),
  );
  const ended = await Promise.allSettled(workers);
  const broken = ended.find((worker) => worker.status === 'rejected');
  if (broken) throw broken.reason;
  return results;
}
