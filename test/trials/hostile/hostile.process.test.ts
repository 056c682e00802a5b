import { expect, test, vi } from 'vitest';
import { tryFamily } from '../../../trials/hostile/families.ts';
import { openWorld } from '../../../trials/hostile/world/world.ts';
import { createLedger } from '../../../trials/ledger.ts';

vi.setConfig({ testTimeout: 600_000 });

// Half a minute of a service in a process of its own: its memory and its /livez are judged, too. The whole of it is
// `npm run trials -- hostile`, whose table stands in docs/security.md.
test('promises 4, 5, 7, 8, 12, 18, 19, 20, 24, 32, 35 and 36: hostile input breaks none', async () => {
  await using world = await openWorld();
  const ledger = createLedger({ onViolation: () => {} });
  for (const family of ['repositories', 'api', 'webhooks', 'secrets', 'models', 'words', 'dashboard'])
    await tryFamily(family, { world, ledger, seed: 1, size: 20 });
  expect(ledger.violations).toEqual([]);
  for (const promise of [4, 5, 7, 8, 12, 18, 19, 20, 24, 32, 35, 36]) expect(ledger.tries(promise)).toBeGreaterThan(0);
});
