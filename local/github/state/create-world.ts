import { randomInt } from 'node:crypto';
import type { World } from './world.ts';

/** A world without an App, accounts and repositories. */
export function createWorld(given: Pick<World, 'apiUrl' | 'webUrl' | 'directory' | 'clock' | 'send' | 'log'>): World {
  let lastId = randomInt(1_000_000, 2_000_000);
  let lastTime = 0;
  return {
    ...given,
    app: undefined,
    conversions: new Map(),
    accounts: new Map(),
    repositories: new Map(),
    formerNames: new Map(),
    installations: new Map(),
    tokens: new Map(),
    timestamp() {
      lastTime = Math.max(lastTime, Math.floor(given.clock().getTime() / 1000) * 1000);
      return new Date(lastTime).toISOString().replace('.000Z', 'Z');
    },
    nextId() {
      lastId += 1;
      return lastId;
    },
  };
}
