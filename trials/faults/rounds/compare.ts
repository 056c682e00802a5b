import { isDeepStrictEqual } from 'node:util';
import type { Fault } from '../../../harness/judge-job.ts';
import type { Outcome } from './outcome.ts';

const promiseOf: Record<Exclude<keyof Outcome, 'modelRequests' | 'faults'>, number> = {
  status: 10,
  branches: 1,
  commits: 1,
  files: 1,
  filesOfPeople: 13,
  pullRequests: 1,
  titles: 1,
  descriptions: 1,
  comments: 1,
  runs: 10,
  messages: 15,
  effects: 1,
  writes: 11,
};

export const comparedPromises = [1, 10, 11, 13, 15, 33] as const;

/** Compares a disturbed run with the undisturbed one, and adds the faults of its job. `repeats`: how many model requests may have been in flight and sent again. */
export function compareOutcomes(expected: Outcome, found: Outcome, { repeats }: { repeats: number }): Fault[] {
  const differences = (Object.keys(promiseOf) as (keyof typeof promiseOf)[]).flatMap((key) =>
    isDeepStrictEqual(found[key], expected[key])
      ? []
      : [
          {
            promise: promiseOf[key],
            text: `${key}: ${JSON.stringify(found[key])}, not ${JSON.stringify(expected[key])}`,
          },
        ],
  );
  differences.push(...found.faults);
  const extra = found.modelRequests.length - expected.modelRequests.length;
  const repeated = found.modelRequests.length - new Set(found.modelRequests).size;
  if (extra >= 0 && extra <= repeats && repeated === extra) return differences;
  const text = `the model got ${found.modelRequests.length} requests (${repeated} repeated), not ${expected.modelRequests.length}`;
  return [...differences, { promise: 10, text }];
}
