import { expect } from 'vitest';

/** Expects a moment within two seconds of `moment`. */
export const aboutAt = (moment: Date | undefined): unknown =>
  expect.toSatisfy(
    (found) => found instanceof Date && moment !== undefined && Math.abs(found.getTime() - moment.getTime()) <= 2_000,
    `about ${moment?.toISOString()}`,
  );
