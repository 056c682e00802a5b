import { expect, test } from 'vitest';
import { createTestDatabase } from '../support/databases/database.ts';
import { createAutomationParts, tellOccasions } from './tell-occasions.ts';

test('promise 38: of 1,000 occasions of 50 projects, told three times each in any order, each is taken up once', async () => {
  await using db = await createTestDatabase();
  const asked = { projects: 50, occasions: 20, times: 3, random: Math.random };
  const titles = await tellOccasions(createAutomationParts(db.store), asked);
  expect(titles).toHaveLength(1_000);
  expect(new Set(titles).size).toBe(1_000);
});
