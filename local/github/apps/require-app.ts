import { ApiError } from '../api/api-error.ts';
import type { App, World } from '../state/world.ts';

/** Returns the one App of this stand-in. Throws 404 when there is none. */
export function requireApp({ app }: Pick<World, 'app'>): App {
  if (!app) throw new ApiError(404, 'Integration not found');
  return app;
}
