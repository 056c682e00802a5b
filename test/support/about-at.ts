import { expect } from 'vitest';

/** Stands in an expectation for a moment that was computed anew from how far away it is: as much as two seconds off. */
export const aboutAt = (moment: Date | undefined): unknown =>
  expect.toSatisfy(
    (found) => found instanceof Date && moment !== undefined && Math.abs(found.getTime() - moment.getTime()) <= 2_000,
    `about ${moment?.toISOString()}`,
  );
