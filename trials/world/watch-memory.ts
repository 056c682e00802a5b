import type { World } from './world.ts';

/** 32 MB of unsigned bodies, and what the garbage collector has not yet collected. */
const mostMemoryMb = 160;

/** The faults of an attack, and one more if the memory of the service grew much. */
export async function watchMemory(world: World, attack: (look: () => void) => Promise<string[]>): Promise<string[]> {
  const before = world.health.readMemory();
  let most = before;
  const look = () => {
    most = Math.max(most, world.health.readMemory());
  };
  const timer = setInterval(look, 50);
  const found = await attack(look);
  clearInterval(timer);
  const grown = most - before > mostMemoryMb ? [`memory grew from ${before.toFixed()} to ${most.toFixed()} MB`] : [];
  return [...new Set(found), ...grown];
}
