import { isDeepStrictEqual } from 'node:util';
import type { Outcome } from './outcome.ts';

export interface Difference {
  promise: number;
  text: string;
}

const promiseOf: Record<Exclude<keyof Outcome, 'asked'>, number> = {
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

export const comparedPromises = [1, 10, 11, 13, 15] as const;

/** Compares a disturbed run with the undisturbed one. `repeats`: how many model requests may have been in flight and sent again. */
export function compareOutcomes(expected: Outcome, found: Outcome, { repeats }: { repeats: number }): Difference[] {
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
  const asked = found.asked.length - expected.asked.length;
  const repeated = found.asked.length - new Set(found.asked).size;
  if (asked >= 0 && asked <= repeats && repeated === asked) return differences;
  const text = `the model got ${found.asked.length} requests (${repeated} repeated), not ${expected.asked.length}`;
  return [...differences, { promise: 10, text }];
}
