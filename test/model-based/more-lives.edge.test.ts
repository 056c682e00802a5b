import { expect, test, vi } from 'vitest';
import { createTestDatabase } from '../support/databases/database.ts';
import { assertAnySequence } from './assert-any-sequence.ts';

// Thousands of steps, which a busy machine takes its time for.
vi.setConfig({ testTimeout: 300_000 });

test('promises 6, 8, 14, 15: more sequences of events than the test of the life of a job tries', async () => {
  await using made = await createTestDatabase();
  await expect(assertAnySequence(made, { numRuns: 40, seed: 5 })).resolves.toBeUndefined();
});
