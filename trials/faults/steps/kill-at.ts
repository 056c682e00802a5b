import { eventually } from '../../../harness/eventually.ts';
import type { World } from '../world/world.ts';

/** The points right before and right after each of these steps. */
export const around = (steps: readonly string[]): string[] =>
  steps.flatMap((step) => [`before ${step}`, `after ${step}`]);

/** SIGKILL of a worker at a point of what `begin` begins. Resolves once the worker has ended. */
export async function killAt<Begun>(world: World, point: string, begin: () => Promise<Begun>) {
  const doomed = await world.spawnWorker({ CLAIMS: 'open', DIE_AT: point });
  const begun = await begin();
  await eventually(() => doomed.hasEnded() || undefined, { what: `the worker dies ${point}`, withinMs: 60_000 });
  return { doomed, begun };
}
