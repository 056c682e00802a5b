import { expect, test } from 'vitest';
import { assertAnySequence } from './assert-any-sequence.ts';
import { openParts } from './create-parts.ts';

test('promises 6, 8, 14, 15: more sequences of events than the test of the life of a job tries', async () => {
  await using parts = await openParts();
  await expect(assertAnySequence(parts, { numRuns: 40, seed: 11 })).resolves.toBeUndefined();
});
