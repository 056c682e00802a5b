import { afterEach, expect, test, vi } from 'vitest';
import { processDelivery } from '../../src/deliveries/process-delivery.ts';
import { insertDelivery } from '../../src/store/deliveries.ts';
import { createWorld } from '../support/world.ts';
import { createParts } from './create-parts.ts';

afterEach(() => void vi.useRealTimers());

test.each([
  ['an hour behind', -3600_000],
  ['right', 0],
  ['an hour ahead', 3600_000],
])('a review is waited for as long on a machine whose clock is %s', async (_name, offMs) => {
  await using world = await createWorld({ script: () => ({ calls: [] }) });
  const parts = createParts(world);
  await insertDelivery(parts.database, {
    delivery_id: 'review',
    event: 'pull_request_review',
    action: 'submitted',
    repository_id: world.repository.id,
    review_id: 1,
    fields: JSON.stringify({ action: 'submitted', review: { id: 1, body: 'Please.', user: null } }),
  });
  // auth-app corrects its own clock by GitHub's.
  await parts.github.fetchApp();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + offMs });
  const again = await processDelivery(parts, 'review', new AbortController().signal);
  const waitMs = (again?.getTime() ?? 0) - Date.now();
  expect(waitMs).toBeGreaterThan(0);
  expect(waitMs).toBeLessThanOrEqual(3_000);
});
