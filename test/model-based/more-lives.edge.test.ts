import { expect, test } from 'vitest';
import { createTestDatabase } from '../support/databases/database.ts';
import { assertAnySequence } from './assert-any-sequence.ts';

test('promises 6, 8, 14, 15: more sequences of events than the test of the life of a job tries', async () => {
  await using made = await createTestDatabase();
  await expect(assertAnySequence(made, { numRuns: 40, seed: 5 })).resolves.toBeUndefined();
});
